import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { createTestHost } from '../../app/testing/index.ts'
import { checkExtension } from '../../cli/author/check.ts'
import { commandLine } from '../support/command-line.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const PACKAGE = {
  ...{ name: '@example/good-day', version: '1.2.0', description: 'Says good day.', license: 'MIT' },
  keywords: ['pentad-extension'],
  dependencies: { 'left-pad': '1.0.0' },
  scripts: { postinstall: 'echo' },
}
const SOURCE = `import { join } from 'node:path'
import { defineExtension } from 'pentad'
import { z } from 'zod'
import { pad } from 'left-pad'
import { greet } from './lib/greet.ts'
import style from './style.css'

export default defineExtension({
  id: 'good-day', name: 'Good day', version: '1.2.0', requires: { pentad: '>=0.1' },
  setup({ hooks }) {
    hooks.addFilter('the_title', (title) => pad(greet(z.string().parse(title))) + style)
  },
})
export const asset = join(import.meta.dirname, 'page.ts')
`

/** An extension as its author has it, with a dependency of its own. */
function authorFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder()
  const all = {
    ...{ 'package.json': JSON.stringify(PACKAGE), 'index.ts': SOURCE, 'style.css': '!' },
    ...{ 'lib/greet.ts': "export const greet = (name: string): string => 'Good day, ' + name\n" },
    ...{ 'lib/greet.test.ts': '', 'page.ts': 'export default () => {}\n', 'languages/de.po': '', '.env': 'SECRET=1' },
    'node_modules/left-pad/package.json': JSON.stringify({ name: 'left-pad', type: 'module', main: 'index.js' }),
    'node_modules/left-pad/index.js': "export const pad = (text) => ' ' + text",
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('pentad extension check', () => {
  const problems = async (files: Readonly<Record<string, string>>) =>
    (await checkExtension(authorFolder(files))).problems

  it('finds nothing wrong with a valid extension', async () => {
    expect(await problems({})).to.deep.equal([])
  })

  it('names each call that Pentad does not allow, with file and line', async () => {
    const end = `// process.exit() in a comment\nexport const text = 'process.exit()'\nexport function end() {\n  process.exit(1)\n}\n`
    const source = SOURCE.replace('import style', "import { end } from './lib/end.ts'\nimport style").replace(
      'setup({ hooks }) {',
      'setup({ hooks }) {\n    end()',
    )
    expect(await problems({ 'index.ts': source, 'lib/end.ts': end })).to.deep.equal([
      'lib/end.ts:4 process.exit is not allowed: it would end or change the whole process.',
    ])
  })

  it('compares the versions, and requires a range for Pentad and the keyword', async () => {
    const source = SOURCE.replace(`version: '1.2.0', requires: { pentad: '>=0.1' }`, `version: '1.1.0'`)
    const found = await problems({ 'index.ts': source, 'package.json': JSON.stringify({ ...PACKAGE, keywords: [] }) })
    expect(found.join('\n'))
      .to.match(/The version in the definition is 1\.1\.0, but 1\.2\.0 in package\.json\./)
      .and.match(/State the versions of Pentad/)
      .and.match(/Add the keyword "pentad-extension"/)
  })

  it('says what cannot be read', async () => {
    const failure = async (files: Readonly<Record<string, string>>) => {
      const error = await checkExtension(authorFolder(files)).catch((thrown: unknown) => thrown)
      return error instanceof Error ? error.message : ''
    }
    expect(await failure({ 'index.ts': 'export default {' })).to.match(/index\.ts/)
    expect(await failure({ 'package.json': '{}' })).to.match(/must be a package\.json with a name and a version/)
    expect(await failure({ 'index.ts': SOURCE.replace('./lib/greet.ts', './lib/gone.ts') })).to.match(/lib\/gone\.ts/)
  })
})

describe('pentad extension pack', () => {
  const run = commandLine()

  it('writes a package that can be installed, with its dependencies and assets, and without sources, tests, and scripts', async () => {
    const folder = authorFolder()
    const out = temporaryFolder()
    const { code, output, errors } = await run(temporaryFolder(), ['extension', 'pack', folder, '--out', out])
    expect([code, errors]).to.deep.equal([0, 'There is no tsconfig.json, so the types were not checked.\n'])
    expect(output.match(/^ {2}\S+$/gm)?.map((line) => line.trim())).to.deep.equal([
      ...['package.json', 'index.js', 'languages/de.po', 'page.ts'],
    ])
    const file = join(out, 'example-good-day-1.2.0.tgz')
    expect(output)
      .to.contain(file)
      .and.match(/Integrity {2}sha512-\S{80}/)
    const before = readFileSync(file)
    await run(temporaryFolder(), ['extension', 'pack', folder, '--out', out])
    expect(readFileSync(file).equals(before)).to.equal(true)

    const host = await createTestHost()
    try {
      const { packages, hooks, config } = host.host
      await packages.install({ type: 'path', path: file }, { activate: true })
      expect(hooks.applyFilters('the_title', 'Ada', 1)).to.equal(' Good day, Ada!')
      const installed = join(config.siteDir, 'extensions', 'good-day')
      expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).to.deep.equal({
        ...{ name: '@example/good-day', version: '1.2.0', description: 'Says good day.', license: 'MIT' },
        ...{ keywords: ['pentad-extension'], type: 'module', main: 'index.js' },
      })
      expect(existsSync(join(installed, '.env'))).to.equal(false)
    } finally {
      await host.close()
    }
  })
})
