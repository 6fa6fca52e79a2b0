/** Days for which visits are counted: what `/geo/crawlers` and `/geo/referrals` can look back with a licence. */
export const KEPT_DAYS = 90
