import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack as packTar } from 'tar-stream'
import { integrityOf } from '../../app/packages/integrity.ts'
import type { AuthorBundle } from './bundle.ts'
import type { PackageJson } from './manifest.ts'

/** Maximum size of a package, as for installations. */
export const MAX_SIZE = 20 * 1024 * 1024

/** Not part of a package, besides hidden files and the sources, which are in the bundle. */
const SKIPPED =
  /^(?:node_modules|package(?:-lock)?\.json|tsconfig.*\.json|.*\.tgz|.*\.test\.[cm]?[jt]sx?|.*\.d\.[cm]?ts)$/

export interface Packed {
  /** Name of the file, as npm names it. */
  readonly file: string
  readonly content: Buffer
  /** `sha512-…` */
  readonly integrity: string
  /** Names of the files in it. */
  readonly files: readonly string[]
}

/** Makes the tarball that registries and `pentad extension install` accept. The same files make the same tarball. */
export async function packExtension(folder: string, packageJson: PackageJson, bundle: AuthorBundle): Promise<Packed> {
  const { dependencies: _, devDependencies: __, scripts: ___, private: ____, ...published } = packageJson
  const manifest = { ...published, type: 'module', main: 'index.js' }
  const files = new Map<string, Buffer>([
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['index.js', Buffer.from(bundle.code)],
  ])
  const sources = new Set(bundle.sources)
  for (const name of await assetsIn(folder)) {
    if (!sources.has(resolve(folder, name)) && !files.has(name)) files.set(name, await readFile(join(folder, name)))
  }
  const archive = packTar()
  for (const [name, content] of files) {
    archive.entry({ name: `package/${name}`, mode: 0o644, mtime: new Date(0) }, content)
  }
  archive.finalize()
  const content = gzipSync(await buffer(archive), { level: 9 })
  return {
    file: `${packageJson.name.replace(/^@/, '').replace('/', '-')}-${packageJson.version}.tgz`,
    content,
    integrity: integrityOf(content),
    files: [...files.keys()],
  }
}

/** Files that the extension may read at run time, sorted. */
async function assetsIn(folder: string): Promise<string[]> {
  const found: string[] = []
  const visit = async (at: string): Promise<void> => {
    for (const name of (await readdir(at)).sort()) {
      if (name.startsWith('.') || SKIPPED.test(name)) continue
      const path = join(at, name)
      const entry = await stat(path)
      if (entry.isDirectory()) await visit(path)
      else if (entry.isFile()) found.push(relative(folder, path).replaceAll('\\', '/'))
    }
  }
  await visit(folder)
  return found
}

export async function writePacked(folder: string, { file, content }: Packed): Promise<string> {
  const path = join(folder, file)
  await writeFile(path, content)
  return path
}
