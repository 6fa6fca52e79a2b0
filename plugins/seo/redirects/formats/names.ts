import { CSV_FORMATS } from './row-readers.ts'

/** Formats for import; `auto` detects the format. */
export const IMPORT_FORMATS = ['auto', ...CSV_FORMATS, 'json', 'htaccess', 'nginx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Formats for export; each can be re-imported without loss. */
export const EXPORT_FORMATS = ['json', 'csv', 'htaccess', 'nginx'] as const
