/** The options of the site: all records on SQLite, a copy of them on PostgreSQL. */
export const OPTIONS_FILE = 'options.json'
/** Exists on PostgreSQL if `options.json` was restored, and replaces the records in the database at the next start. */
export const OPTIONS_IMPORT = 'options.import'
