import { quoted, unsafe } from './errors.ts'
import { CATEGORY_FOLDERS } from './format.ts'

/** Longest path that operating systems accept (`PATH_MAX`). */
const LONGEST = 4096

/**
 * Rejects names that could be written outside the target folder on any operating system. A backslash is an ordinary
 * character on Unix and stays one, but is treated as a separator when checking for path traversal.
 */
export function checkName(name: string): void {
  if (name === '' || name.includes('\0')) throw unsafe('The archive contains an entry with an invalid name.')
  if (Buffer.byteLength(name) > LONGEST) throw unsafe(`The archive contains a name that is too long: ${quoted(name)}.`)
  if (name.startsWith('/') || name.startsWith('\\') || /^[A-Za-z]:/.test(name)) {
    throw unsafe(`The archive contains an absolute path: ${quoted(name)}.`)
  }
  if (name.split(/[/\\]/).includes('..'))
    throw unsafe(`The archive contains a path that points outside its folder: ${quoted(name)}.`)
  if (name.split('/').some((part) => part === '' || part === '.')) {
    throw unsafe(`The archive contains a path that is not normalized: ${quoted(name)}.`)
  }
  if (process.platform === 'win32' && name.includes('\\')) {
    throw unsafe(`The archive contains a name that this operating system does not support: ${quoted(name)}.`)
  }
}

/**
 * Whether a symbolic link stays inside the folder it belongs to: `files/uploads/` for links in that folder, `files/`
 * for those next to it. `..` is only allowed at the start: after another link it would resolve from that link's target.
 *
 * Category folders must not be links: with `files/uploads` as a link, visitors could be served the backup folder or
 * keys. Nor may the archive's own top-level entries.
 */
export function linkStays(name: string, target: string): boolean {
  if (!/^files\/./.test(name) || CATEGORY_FOLDERS.some((folder) => name === `files/${folder}`)) return false
  if (target === '' || target.includes('\0') || /^[/\\]/.test(target) || /^[A-Za-z]:/.test(target)) return false
  const parts = target.split('/')
  if (parts.some((part) => part.split('\\').includes('..') && part !== '..')) return false
  const down = parts.findIndex((part) => part !== '..' && part !== '.' && part !== '')
  const up = down === -1 ? parts : parts.slice(0, down)
  if (down !== -1 && parts.slice(down).includes('..')) return false
  const levels = up.filter((part) => part === '..').length
  const folders = name.split('/').length - 1
  return folders - levels >= Math.min(2, folders)
}

/** The name as a file system that ignores case and Unicode normalization sees it. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
