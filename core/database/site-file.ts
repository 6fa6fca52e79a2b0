/** The SQLite database in the site folder. */
export const SITE_DATABASE = 'site.db'
