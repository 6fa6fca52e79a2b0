import { CSV_FORMATS } from './row-readers.ts'

/** Formats that are read; `auto` finds out which. */
export const IMPORT_FORMATS = ['auto', ...CSV_FORMATS, 'json', 'htaccess', 'nginx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Formats that are written; each is read again without loss. */
export const EXPORT_FORMATS = ['json', 'csv', 'htaccess', 'nginx'] as const
