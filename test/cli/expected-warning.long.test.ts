import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { pentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const EXTENSION = `
import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'importing', name: 'Importing', version: '1.0.0',
  async setup() {
    const { hostname } = await import('node:os')
    hostname()
    process.emitWarning('this.own is an experimental feature', 'ExperimentalWarning')
  },
})`

describe('Warnings of Node while a command runs', () => {
  it('are shown, but for the one about how extensions import packages', async () => {
    const siteDir = temporaryFolder()
    mkdirSync(join(siteDir, 'extensions', 'importing'), { recursive: true })
    writeFileSync(join(siteDir, 'extensions', 'importing', 'index.ts'), EXTENSION)
    const imported = await pentad(siteDir, ['import', wxrFile([wxrItem({ id: 1, title: 'Bread' })])])
    expect(imported.code, imported.errors).to.equal(0)
    const { code, errors } = await pentad(siteDir, ['extension', 'activate', 'importing'])
    expect(code, errors).to.equal(0)
    expect(errors).to.include('this.own is an experimental feature')
    expect(errors).to.not.include('USE_MAIN_CONTEXT_DEFAULT_LOADER')
  })
})
