/** A client as a build leaves it, without building one, and what the server puts into the page for it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { AdminData } from '../../cms/admin/page-data.ts'

export const SCRIPT = 'console.log("the admin")\n'.repeat(100)

export function dataOf(html: string): AdminData {
  return JSON.parse(/<script type="application\/json" id="pentad-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')
}

/** As Vite and the plugin that compresses leave it. */
export async function writeClient(folder: string): Promise<void> {
  await mkdir(join(folder, '.vite'), { recursive: true })
  await mkdir(join(folder, 'assets'))
  const files = { 'main-1a2b.js': SCRIPT, 'shared-3c4d.js': '', 'lazy-7a8b.js': '', 'shared-5e6f.css': 'body{}' }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'assets', name), text)
  await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(folder, 'assets/.hidden.js'), SCRIPT)
  const manifest = {
    'src/main.tsx': {
      file: 'assets/main-1a2b.js',
      isEntry: true,
      imports: ['_shared.js'],
      dynamicImports: ['src/screens/lazy.tsx'],
    },
    '_shared.js': { file: 'assets/shared-3c4d.js', css: ['assets/shared-5e6f.css'] },
    'src/screens/lazy.tsx': { file: 'assets/lazy-7a8b.js', imports: ['_shared.js'] },
  }
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
}
