import { type SQL, sql } from 'drizzle-orm';

/** Returns the SQL of the path of a product's first category ("Apparel > Shirts"), for a query from products `p`. */
export const categoryPath = (tenantId: number): SQL =>
  sql`(SELECT group_concat(c.name, ' > ' ORDER BY a.distance DESC) FROM category_ancestors a
        JOIN categories c ON c.id = a.ancestor_id
        WHERE a.tenant_id = ${tenantId} AND a.category_id = (SELECT pc.category_id
          FROM product_categories pc JOIN categories own ON own.id = pc.category_id
          WHERE pc.tenant_id = ${tenantId} AND pc.product_id = p.id ORDER BY pc.position LIMIT 1))`;
