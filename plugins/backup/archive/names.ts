import { quoted, unsafe } from './errors.ts'
import { CATEGORY_FOLDERS } from './format.ts'

/** Longest path that systems take (`PATH_MAX`). */
const LONGEST = 4096

/**
 * Refuses a name that could be written anywhere but below the folder it is unpacked to, on any system.
 * A backslash is an ordinary letter on Unix and stays one; as a separator it is refused where it would climb out.
 */
export function checkName(name: string): void {
  if (name === '' || name.includes('\0')) throw unsafe('The archive holds an entry without a usable name.')
  if (Buffer.byteLength(name) > LONGEST) throw unsafe(`The archive holds a name that is too long: ${quoted(name)}.`)
  if (name.startsWith('/') || name.startsWith('\\') || /^[A-Za-z]:/.test(name)) {
    throw unsafe(`The archive holds an absolute name: ${quoted(name)}.`)
  }
  if (name.split(/[/\\]/).includes('..')) throw unsafe(`The archive holds a name that climbs out: ${quoted(name)}.`)
  if (name.split('/').some((part) => part === '' || part === '.')) {
    throw unsafe(`The archive holds a name in an unusual form: ${quoted(name)}.`)
  }
  if (process.platform === 'win32' && name.includes('\\')) {
    throw unsafe(`The archive holds a name that this system cannot keep: ${quoted(name)}.`)
  }
}

/**
 * Whether a symbolic link stays in the folder it belongs to: `files/uploads/` for what lies in it, `files/` for what
 * lies beside it. `..` may stand at the start only: behind another link it would lead from where that one points.
 *
 * What has a folder of its own is no link: with `files/uploads` as one, visitors would be served the folder of the
 * backups, or keys. Nor is what the archive itself is made of.
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

/** What a file system that ignores case and normalisation takes a name for. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
