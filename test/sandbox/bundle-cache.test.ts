import { equal, match } from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { writeGuest } from './guests.ts'

describe('the bundle of a sandboxed extension', () => {
  it('is cached until one of its files changes', async () => {
    const rest =
      "permissions: { hooks: ['the_content'] }, setup({ hooks }) { hooks.addFilter('the_content', (html) => html + word) },"
    const folder = await writeGuest('cached', 'sandbox', rest, "import { word } from './word.js'")
    const file = join(folder, 'word.js')
    await writeFile(file, "export const word = '<p>one</p>'")
    // Younger files may change between the build and the look at them.
    await until(() => statSync(file).ctimeMs < Date.now() - 2_000)
    const host = await createTestHost({ extensions: [folder] })
    try {
      const cache = join(host.host.config.siteDir, 'cache', 'extensions')
      const cachedFile = () => readdirSync(cache).find((name) => name.endsWith('.sandbox')) ?? ''
      await until(() => cachedFile() !== '')
      const before = statSync(join(cache, cachedFile())).ino
      await host.reload('cached')
      equal(statSync(join(cache, cachedFile())).ino, before)
      match(await (await host.get('/hello-world/')).text(), /<p>one<\/p>/)

      await writeFile(file, (await readFile(file, 'utf8')).replace('one', 'two'))
      await host.reload('cached')
      match(await (await host.get('/hello-world/')).text(), /<p>two<\/p>/)
    } finally {
      await host.close()
    }
  })
})
