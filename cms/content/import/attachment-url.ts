import { safeUploadPath } from '../media/upload-path.ts'
import type { WxrItem } from './wxr.ts'

/** Uploads folders of WordPress: the current one, and those of networks before and since version 3.5. */
const UPLOADS = /^(?:.*\/)?(?:wp-content\/uploads|wp-content\/blogs\.dir\/\d+\/files|files)\/(?:sites\/\d+\/)?/
/** WordPress's monthly folders, at any depth. */
const MONTH = /(?:^|\/)(\d{4}\/\d{2}\/[^/]+)$/

/** The parts of a URL of the old site that identify a file. */
export interface FileUrl {
  /** In lower case and without `www.`; with a port. */
  readonly host: string
  /** Decoded, in Unicode's composed form, and without a leading slash. */
  readonly path: string
}

/** `undefined` if it is not an http or https URL. */
export function parseFileUrl(url: string): FileUrl | undefined {
  const match = /^(?:https?:)?\/\/([^/?#\s]+)\/([^?#]*)/i.exec(url.trim())
  return match ? { host: plainHost(match[1] ?? ''), path: decodePath(match[2] ?? '') } : undefined
}

export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^www\./, '')
}

/** Text that cannot be decoded stays unchanged; Unicode is normalized, because file systems and browsers compose characters differently. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return path.normalize('NFC')
  }
}

/**
 * Path of an attachment's file below the uploads folder: as in the export; otherwise from the URL, or else in the folder of its month.
 * `undefined` for a path outside of the folder.
 */
export function attachedFile(item: WxrItem): string | undefined {
  const given = item.meta.find(({ key }) => key === '_wp_attached_file')?.value ?? ''
  if (given !== '' && !/^https?:\/\//i.test(given))
    return safeUploadPath(given.startsWith('/') ? (uploadOf(given) ?? given) : given)
  const url = [given, item.attachmentUrl, item.guid].map(parseFileUrl).find((found) => found && hasName(found.path))
  return url && safeUploadPath(uploadOf(url.path) ?? inMonth(url.path, item.date))
}

function hasName(path: string): boolean {
  return /[^/]\.\w{1,8}$/.test(path)
}

/** The part of a URL's path below the uploads folder. */
function uploadOf(path: string): string | undefined {
  const below = path.replace(UPLOADS, '')
  return below === path ? MONTH.exec(path)?.[1] : below
}

function inMonth(path: string, date: string): string {
  const [, year = '1970', month = '01'] = /^(\d{4})-(\d\d)/.exec(date.trim()) ?? []
  return `${year}/${month}/${path.slice(path.lastIndexOf('/') + 1)}`
}
