import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { assetProblem } from '../../cms/site/extension-assets.ts'
import { poFiles } from '../../cms/text/po.ts'

/** Bytes of a public file: visitors download it. */
const MAX_ASSET = 2 * 1024 * 1024
/** Keys, databases, and backups, which belong in no package. */
const PRIVATE = /^(?:id_(?:rsa|ed25519|ecdsa)|.*\.(?:pem|key|p12|pfx|db|sqlite3?|sql\.gz|bak|log))$/i

/** What is wrong with the files of a package besides the code, as sentences. @param files - Of the package. */
export async function fileProblems(folder: string, id: string, files: readonly string[]): Promise<string[]> {
  return [
    ...(await assetProblems(folder)),
    ...(await translationProblems(folder, id)),
    ...files.flatMap((file) =>
      PRIVATE.test(file.split('/').at(-1) ?? '')
        ? [`${file} looks like a private file. Remove it from the folder.`]
        : [],
    ),
  ]
}

async function assetProblems(folder: string): Promise<string[]> {
  const assets = join(folder, 'assets')
  if (!existsSync(assets)) return []
  const entries = await readdir(assets, { withFileTypes: true, recursive: true })
  const checked = entries
    .filter((entry) => !entry.isDirectory())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const file = relative(assets, path).replaceAll('\\', '/')
      const stats = await lstat(path)
      const { size } = stats
      if (!stats.isFile()) return [`assets/${file} is a link or device, which is not served.`]
      if (size > MAX_ASSET)
        return [`assets/${file} is ${size} bytes; the maximum for a public file is ${MAX_ASSET} bytes.`]
      return assetProblem(file) ?? []
    })
  return (await Promise.all(checked)).flat()
}

/** A file with another name is never read. */
async function translationProblems(folder: string, id: string): Promise<string[]> {
  const names = await readdir(join(folder, 'languages')).catch(() => [])
  return names
    .filter((name) => name.endsWith('.po'))
    .filter((name) => !poFiles(id, name.slice(id.length + 1, -'.po'.length)).includes(name))
    .map((name) => `languages/${name} must be named after the ID and the language, such as ${id}-de.po.`)
}
