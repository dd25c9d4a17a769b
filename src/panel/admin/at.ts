/** Returns where a page of the super-admin's panel is. */
export const at = <Path extends `/admin${string}`>(path: Path) => ({ path, audience: 'admin' }) as const;
