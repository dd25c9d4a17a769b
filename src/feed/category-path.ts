import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns the SQL of the path of a product's first category that is shown ("Apparel > Shirts"), for a query from
 * products `p`. A category that is hidden, or below a hidden one, is not shown.
 */
export const categoryPath = (tenantId: number): SQL =>
  sql`(SELECT group_concat(c.name, ' > ' ORDER BY a.distance DESC) FROM category_ancestors a
        JOIN categories c ON c.id = a.ancestor_id
        WHERE a.tenant_id = ${tenantId} AND a.category_id = (SELECT pc.category_id
          FROM product_categories pc JOIN categories own ON own.id = pc.category_id
          WHERE pc.tenant_id = ${tenantId} AND pc.product_id = p.id AND NOT EXISTS (SELECT 1
            FROM category_ancestors up JOIN categories above ON above.id = up.ancestor_id
            WHERE up.tenant_id = pc.tenant_id AND up.category_id = pc.category_id AND above.hidden = 1)
          ORDER BY pc.position LIMIT 1))`;
