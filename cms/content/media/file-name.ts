import { removeAccents } from '../slug.ts'

/** File systems take 255 bytes; this leaves room for `-scaled`, `-2048x2048`, a number and the extension. */
const NAME_BYTES = 180

/** WordPress's `sanitize_file_name`: characters that have a meaning in a shell, a server or a URL. */
const SPECIAL = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“]/g

/** Reserved device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** An inner extension: some servers execute `photo.php.jpg` because of it. */
const INNER_EXTENSION = /^[a-z]{2,5}\d?$/i

/** The parts of a file name: `photo.JPG` → `photo` and `jpg`. */
export interface FileName {
  readonly base: string
  /** Lowercase, without a dot; empty if there is none. */
  readonly extension: string
}

/**
 * Sanitizes a client's file name, like WordPress's `sanitize_file_name`: no folders, control characters or shell metacharacters; hyphens
 * for spaces; an underscore after an inner extension of a non-media file (`photo.php.jpg` → `photo.php_.jpg`). Never empty, at most 180
 * bytes.
 * @param allowed whether an extension belongs to a media file
 */
export function sanitizeFileName(name: string, allowed: (extension: string) => boolean, language?: string): FileName {
  const plain = removeAccents(name.slice(0, 10_000).toWellFormed().normalize('NFC'), language)
    .replace(/\u00a0/g, ' ')
    // Control characters, and right-to-left characters, which can disguise an extension.
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]|(?![\r\n\t])\p{Cc}/gu, '')
    .replace(SPECIAL, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[\s-]+/gu, '-')
    .replace(/^[.\-_]+|[.\-_]+$/g, '')
  const [first = '', ...others] = plain.split('.')
  const extension = (others.pop() ?? '').toLowerCase()
  const inner = others.map((part) => (INNER_EXTENSION.test(part) && !allowed(part) ? `${part}_` : part))
  const base = cut([first, ...inner].join('.'), NAME_BYTES).replace(/[.\-\s]+$/, '')
  return { base: RESERVED.test(base) ? `${base}_` : base || 'unnamed-file', extension: cut(extension, 20) }
}

/** Truncates between characters. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let length = 0
  let end = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    end += character.length
  }
  return text.slice(0, end)
}

/**
 * The file name of a `Content-Disposition` header, `undefined` if there is none. `filename*` (RFC 5987) takes precedence
 * over `filename` (RFC 6266, 4.3). WordPress's `get_filename_from_disposition`.
 */
export function nameFromDisposition(header: string): string | undefined {
  const [kind = '', ...rest] = header.split(';')
  if (!/^\s*(?:attachment|inline|form-data)\s*$/i.test(kind)) return undefined
  const parameters = rest.join(';')
  const encoded = /(?:^|;)\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^\s;]+)/i.exec(parameters)
  const extended = encoded && decode(encoded[1] ?? '', encoded[2] ?? '')
  if (extended) return extended
  const [, quoted, bare] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(parameters) ?? []
  const name = quoted?.replace(/\\(["\\])/g, '$1') ?? bare
  // Node reads headers as Latin-1; browsers and curl send UTF-8.
  return name ? asUtf8(name) : undefined
}

function decode(charset: string, text: string): string | undefined {
  try {
    if (charset.toLowerCase() === 'utf-8') return decodeURIComponent(text)
    return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  } catch {
    return undefined
  }
}

function asUtf8(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
