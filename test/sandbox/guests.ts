import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'mocha'

/** Writes an extension into a folder that is deleted after the tests. @param rest - Of its definition: `setup` and so on. */
export async function writeGuest(
  id: string,
  isolation: 'process' | 'sandbox',
  rest: string,
  before = '',
): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'pentad-guest-'))
  folders.push(parent)
  const folder = join(parent, id)
  await mkdir(folder)
  await writeFile(
    join(folder, 'index.js'),
    `import { defineExtension, escapeHtml, RestError, success } from 'pentad'
import { z } from 'zod'
${before}
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', isolation: '${isolation}', ${rest} })
`,
  )
  return folder
}

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
