/**
 * The allowed file types for uploads: extensions, in the format of WordPress's `get_allowed_mime_types`, with the
 * MIME type of each. They include nothing that a browser or a server executes.
 */
export type MimeTypes = Readonly<Record<string, string>>

/** The default types, before the `upload_mimes` filter. The first extension is used for files without one. */
export const MIME_TYPES: MimeTypes = {
  // Images.
  'jpg|jpeg|jpe': 'image/jpeg',
  gif: 'image/gif',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  // Video.
  'mp4|m4v': 'video/mp4',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  ogv: 'video/ogg',
  'mov|qt': 'video/quicktime',
  avi: 'video/avi',
  '3gp|3gpp': 'video/3gpp',
  // Audio.
  'mp3|m4a|m4b': 'audio/mpeg',
  aac: 'audio/aac',
  wav: 'audio/wav',
  'ogg|oga': 'audio/ogg',
  flac: 'audio/flac',
  'mid|midi': 'audio/midi',
  // Text.
  'txt|asc|srt': 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ics: 'text/calendar',
  vtt: 'text/vtt',
  // Documents and archives.
  pdf: 'application/pdf',
  rtf: 'application/rtf',
  zip: 'application/zip',
  'gz|gzip': 'application/x-gzip',
  tar: 'application/x-tar',
  rar: 'application/rar',
  '7z': 'application/x-7z-compressed',
  psd: 'application/octet-stream',
  doc: 'application/msword',
  'ppt|pot|pps': 'application/vnd.ms-powerpoint',
  'xls|xla|xlt|xlw': 'application/vnd.ms-excel',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  docm: 'application/vnd.ms-word.document.macroEnabled.12',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  pptm: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odg: 'application/vnd.oasis.opendocument.graphics',
}

/** The type that goes with an extension, `undefined` if there is no such kind. */
export function typeOfExtension(types: MimeTypes, extension: string): string | undefined {
  const wanted = extension.toLowerCase()
  return Object.entries(types).find(([extensions]) => extensions.split('|').includes(wanted))?.[1]
}

/** A file's extension and type, if its content is of a kind that is allowed. */
export interface AllowedKind {
  readonly extension: string
  readonly type: string
}

/**
 * The type and extension of a file by its content: its own extension if it matches, otherwise the first allowed one.
 * @param found possible extensions for the content, most common first
 * @returns `undefined` if none is allowed
 */
export function allowedKind(types: MimeTypes, found: readonly string[], given: string): AllowedKind | undefined {
  const candidates = found.includes(given) ? [given, ...found] : found
  for (const extension of candidates) {
    const type = typeOfExtension(types, extension)
    if (type !== undefined) return { extension, type }
  }
  return undefined
}

/**
 * A type that an extension added (`upload_mimes`): the file name decides if core does not recognize the content, or if
 * it is an archive, as for e-books and maps.
 */
export function addedKind(types: MimeTypes, found: readonly string[], given: string): AllowedKind | undefined {
  if (typeOfExtension(MIME_TYPES, given) !== undefined || (found.length > 0 && found[0] !== 'zip')) return undefined
  const type = typeOfExtension(types, given)
  return type === undefined ? undefined : { extension: given, type }
}
