/** Number of days for which visits are stored: the maximum of `/geo/crawlers` and `/geo/referrals` with a license. */
export const RETENTION_DAYS = 90
