import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { po } from 'gettext-parser'
import { createTestHost } from '../../app/testing/index.ts'
import { checkExtension } from '../../cli/author/check.ts'
import product from '../../package.json' with { type: 'json' }
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
    ...{
      'lib/greet.test.ts': '',
      'page.ts': 'export default () => {}\n',
      'languages/good-day-de.po': '',
      '.env': 'SECRET=1',
    },
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
      .and.contain(
        `State the versions of Pentad that it works with in the definition: requires: { pentad: '^${product.version}' }.`,
      )
      .and.match(/Add the keyword "pentad-extension"/)
  })

  it('names files that are not served, not read, or private', async () => {
    const found = await problems({
      ...{
        'assets/style.css': 'p {}',
        'assets/icons/a.svg': '<svg/>',
        'assets/upload.php': '<?php',
        'assets/a b.png': '',
      },
      ...{ 'assets/.hidden.css': '', 'assets/large.png': 'x'.repeat(2 * 1024 * 1024 + 1) },
      ...{ 'languages/good-day-pt_BR.po': '', 'languages/de.po': '', 'server.key': 'KEY' },
    })
    const types = '.css .js .mjs .png .jpg .jpeg .gif .webp .avif .svg .ico .woff .woff2 .ttf .otf'
    const notServed = (file: string) =>
      `"${file}" must be the path of a file in the assets folder, with one of these types: ${types}.`
    expect(found).to.have.members([
      ...['upload.php', 'a b.png', '.hidden.css'].map(notServed),
      'assets/large.png is 2097153 bytes; the maximum for a public file is 2097152 bytes.',
      'languages/de.po must be named after the ID and the language, such as good-day-de.po.',
      'server.key looks like a private file. Remove it from the folder.',
    ])
  })

  it('names what a sandbox cannot do: modules of Node, files for pages, unknown permissions, reserved IDs', async () => {
    const sandboxed = (from: string, to: string) => ({
      'index.ts': SOURCE.replace("version: '1.2.0',", `version: '1.2.0', isolation: 'sandbox', ${to}`)
        .replace("import { join } from 'node:path'\n", from)
        .replace(/^export const asset.*$/m, ''),
    })
    expect(await problems(sandboxed('', 'permissions: { hooks: [] },'))).to.deep.equal([])
    expect((await problems(sandboxed("import 'node:fs'\n", ''))).join()).to.match(
      /node:fs is a module of Node, which is not available in a sandboxed extension\. \([^)]+index\.ts:1\)/,
    )
    expect((await problems(sandboxed('', 'permissions: { files: true },'))).join()).to.match(
      /manifest is invalid.*files/s,
    )
    expect(await problems({ ...sandboxed('', ''), 'assets/a.css': '' })).to.deep.equal([
      'A sandboxed extension cannot add files to pages. Remove the assets folder.',
    ])
    const squatting = sandboxed('', '')
    squatting['index.ts'] = squatting['index.ts'].replace("id: 'good-day'", "id: 'pentad-login'")
    expect((await problems({ ...squatting })).join()).to.match(/The ID pentad-login is reserved/)
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

describe('pentad extension make-pot', () => {
  const run = commandLine()

  it('writes the texts that the code translates', async () => {
    const texts = [
      "import { label } from './lib/label.tsx'",
      'export const texts = ({ __, _x, _n, _nx }: Record<string, (...given: unknown[]) => string>, count: number) => [',
      "  __('Hello', 'good-day'), __('It' + \"'s \" + `late`, 'good-day'), _x('Post', 'verb', 'good-day'), label,",
      "  _n('%d vote', '%d votes', Math.max(count, 1), 'good-day'), _nx('one', 'many', count, 'things', 'good-day'),",
      "  __('Other', 'other'), __(String(count), 'good-day'), // __('Comment', 'good-day')",
      ']',
    ].join('\n')
    const folder = authorFolder({
      'lib/texts.ts': texts,
      'lib/label.tsx': "export const label = (__: (...given: string[]) => string) => <b>{__('Hello', 'good-day')}</b>",
      'lib/texts.test.ts': "__('Test', 'good-day')",
    })
    const { code, output } = await run(temporaryFolder(), ['extension', 'make-pot', folder])
    const path = join(folder, 'languages', 'good-day.pot')
    expect([code, output]).to.deep.equal([0, `Wrote ${path} (5 strings)\n`])
    const { headers, translations } = po.parse(readFileSync(path))
    expect(headers['Project-Id-Version']).to.equal('Good day 1.2.0')
    const entries = Object.values(translations).flatMap((some) => Object.values(some))
    const found = entries.filter(({ msgid }) => msgid !== '').map((one) => [one.msgctxt, one.msgid, one.msgid_plural])
    expect(found).to.have.deep.members([
      [undefined, 'Hello', undefined],
      [undefined, "It's late", undefined],
      ['verb', 'Post', undefined],
      [undefined, '%d vote', '%d votes'],
      ['things', 'one', 'many'],
    ])
    expect(translations['']?.Hello?.comments?.reference).to.equal('lib/label.tsx\nlib/texts.ts')
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
      ...['package.json', 'index.js', 'languages/good-day-de.po', 'page.ts'],
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
