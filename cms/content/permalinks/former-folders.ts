import type { JsonValue, Options } from '../../../core/options/types.ts'
import { encodeSlug, joinPath, splitPath } from './path.ts'

/** Folders of imported sites: there are still links to content in them. */
const OPTION = 'former_folders'
/** Maximum number; the oldest are removed first. */
const MOST = 10

/** @param path of a URL: `/sub/blog` */
export async function rememberFolder(options: Options, path: string): Promise<void> {
  const folder = joinPath(splitPath(path) ?? [])
  if (folder === '/' || readFolders(options.get(OPTION))[0] === folder) return
  await options.modify(OPTION, (current) =>
    [folder, ...readFolders(current).filter((other) => other !== folder)].slice(0, MOST),
  )
}

/** The path on this site for a request to such a folder; `undefined` if it is not in one. */
export function withoutFormerFolder(options: Options, path: string): string | undefined {
  const folders = readFolders(options.get(OPTION))
  const parts = folders.length === 0 ? undefined : splitPath(path)
  if (!parts) return undefined
  const within = folders
    .map((folder) => folder.split('/').slice(1, -1))
    .filter((names) => names.every((name, at) => encodeSlug(parts[at] ?? '') === name))
  if (within.length === 0) return undefined
  const below = parts.slice(Math.max(...within.map(({ length }) => length))).map(encodeURIComponent)
  return below.length === 0 ? '/' : `/${below.join('/')}${path.endsWith('/') ? '/' : ''}`
}

function readFolders(stored: JsonValue | undefined): string[] {
  return Array.isArray(stored) ? stored.filter((folder) => typeof folder === 'string') : []
}
