-- The full-text index of the catalogue; its rowid is search_documents.place.
-- contentless: search_documents answers. detail=none: no positions, since no phrase is ever searched for.
-- ascii: the terms come folded, and with it they stay whole in every script.
-- prefix: a term begins with its tenant (6 characters) and field (1), so these are beginnings of 1 to 12
-- letters. Without one, FTS5 reads every match of a beginning before it answers the first.
CREATE VIRTUAL TABLE `search_index` USING fts5(
	terms,
	content='',
	contentless_delete=1,
	detail=none,
	tokenize='ascii',
	prefix='8 9 10 11 12 13 14 15 16 17 18 19'
);
