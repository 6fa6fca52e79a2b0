/** Exists if a restore replaced extensions, themes, or the database: at the next start, the other nodes get the files of this one. */
export const CODE_IMPORT = 'code.import'
