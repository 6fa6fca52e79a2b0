import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'mocha'

/** Writes an extension into a folder that is deleted after the tests. @param rest - Of its definition: `setup` and so on. @param into - The folder of an older version. */
export async function writeGuest(
  id: string,
  isolation: 'process' | 'sandbox' | 'optional',
  rest: string,
  before = '',
  into?: string,
): Promise<string> {
  const folder = into ?? (await createFolder(id))
  await writeFile(
    join(folder, 'index.js'),
    `import { defineExtension, escapeHtml, RestError, RestResponse, success } from 'pentad/sandbox'
import { z } from 'zod'
${before}
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', isolation: '${isolation}', ${rest} })
`,
  )
  return folder
}

async function createFolder(id: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'pentad-guest-'))
  folders.push(parent)
  const folder = join(parent, id)
  await mkdir(folder)
  return folder
}

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
