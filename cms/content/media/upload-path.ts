import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

/** Media that browsers display or users download: pictures, video, audio, documents. Nothing that a browser or a server could execute. */
const MEDIA =
  /\.(?:jpe?g|jpe|gif|png|bmp|tiff?|webp|avif|heic|heif|ico|svg|mp4|m4v|mov|qt|avi|wmv|mpe?g|webm|ogv|mkv|3gp|mp3|m4a|m4b|aac|ra|ram|wav|ogg|oga|flac|mid|midi|wma|txt|csv|tsv|ics|rtx|vtt|rtf|pdf|docx?|docm|dotx|pptx?|pptm|ppsx?|xlsx?|xlsm|xlsb|odt|odp|ods|odg|odc|pages|numbers|key|psd|eps|ai|zip|gz|tar|7z|rar|epub|mobi|woff2?|ttf|otf|gpx|kml|kmz|json|srt|md)$/i

/** Whether a file of an uploads folder is one that a site may have here. */
export function isMedia(name: string): boolean {
  return MEDIA.test(name) && !name.startsWith('.')
}

/**
 * Normalizes a path below the uploads folder: `2026/01/map.png`. Removes the prefix of the old server's URLs and paths. `undefined` for a
 * path outside of the folder.
 */
export function safeUploadPath(path: string): string | undefined {
  const below = path.split(/(?:^|\/)wp-content\/uploads\//).at(-1) ?? ''
  const parts = below.split('/')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const isWrong = (part: string) => part === '' || part === '.' || part === '..' || /[\\:\u0000-\u001f]/.test(part)
  return parts.some(isWrong) ? undefined : below
}

/** Whether neither the file nor any folder in its path is a symbolic link. */
export async function isPlainFile(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const found = await lstat(join(folder, ...parts.slice(0, depth))).catch(() => undefined)
    if (!found || !(depth === parts.length ? found.isFile() : found.isDirectory())) return false
  }
  return true
}
