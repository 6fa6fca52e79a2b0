import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { isExtensionId } from '../core/extensions/definition.ts'
import { makeFolder } from '../core/files/make-folder.ts'

/** Folder of the host itself. */
const HOST = join(import.meta.dirname, '..')
/** Whether this is the npm package, whose declarations need no paths. */
const IS_PACKAGE = import.meta.filename.endsWith('.js')

/**
 * Writes a working extension with a test, or nothing at all.
 *
 * @param name - its id
 * @param folder - where it goes; must not be there yet
 * @returns the files written
 * @throws Error if the name can't be an id, or the folder exists
 */
export function scaffoldExtension(name: string, folder: string): string[] {
  if (!isExtensionId(name)) {
    throw new Error(
      `"${name}" is not a valid extension ID. Use lowercase letters, digits, and hyphens: ${suggestId(name)}`,
    )
  }
  if (existsSync(folder)) throw new Error(`${folder} already exists. Choose another name, or delete the folder.`)
  linkHost(folder)
  const files = {
    'index.ts': extensionSource(name),
    'index.test.ts': testSource(name),
    'tsconfig.json': tsconfigSource(folder),
  }
  makeFolder(folder)
  try {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return Object.keys(files).map((file) => join(folder, file))
}

/** Suggests a valid id for an invalid name. */
function suggestId(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
  return words.slice(0, 60).replace(/-+$/, '') || 'my-extension'
}

function extensionSource(name: string): string {
  const title = titleOf(name)
  return `import { defineExtension, escapeHtml } from 'pentad'
import { z } from 'zod'

export default defineExtension({
  id: '${name}',
  name: '${title}',
  version: '1.0.0',
  description: 'Says hello below every post.',
  setup({ hooks, rest, settings }) {
    const options = settings.register(z.object({ greeting: z.string().max(200).default('Hello from ${title}!') }))

    hooks.addFilter('the_content', (html) => \`\${html}\\n<p class="${name}">\${escapeHtml(options.get().greeting)}</p>\`)

    rest.registerRoute('${name}/v1', {
      method: 'GET',
      path: '/greeting',
      access: 'public',
      handler: () => ({ greeting: options.get().greeting }),
    })
  },
})
`
}

function titleOf(name: string): string {
  return name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
}

/** Runs the tests of an extension: where the package is installed, there is only the test runner of Node. */
export function testCommand(files: string): string {
  return `${IS_PACKAGE ? 'node --test' : 'npx mocha'} ${files}`
}

function testSource(name: string): string {
  return `import { match, ok } from 'node:assert/strict'
${IS_PACKAGE ? "import { after, before, describe, it } from 'node:test'\n" : ''}import { escapeHtml } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('${name}', () => {
  let host: TestHost

  before(async () => {
    host = await createTestHost({ extensions: [import.meta.dirname] })
  })
  after(() => host.close())

  it('says hello below every post', async () => {
    const page = await host.get('/hello-world/')
    match(await page.text(), /class="${name}"/)
  })

  it('returns the greeting that the page shows', async () => {
    const response = await host.get('/wp-json/${name}/v1/greeting')
    const { greeting } = JSON.parse(await response.text())
    const page = await host.get('/hello-world/')
    ok((await page.text()).includes(\`>\${escapeHtml(greeting)}</p>\`))
  })

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('${name}')
  })
})
`
}

/** For editors and `tsc` only; the host runs the extension without it. */
function tsconfigSource(folder: string): string {
  return `${JSON.stringify(IS_PACKAGE ? packageTsconfig() : sourceTsconfig(folder), null, 2)}\n`
}

/** A site outside of the project finds the types that are installed with Pentad. */
function packageTsconfig(): object {
  const zod = dirname(createRequire(import.meta.url).resolve('zod/package.json'))
  return {
    compilerOptions: {
      ...{ target: 'esnext', module: 'preserve', strict: true, noEmit: true },
      ...{ skipLibCheck: true, allowImportingTsExtensions: true },
      typeRoots: [join(dirname(zod), '@types')],
      paths: { zod: [zod] },
    },
    exclude: ['**/*.test.ts'],
  }
}

/**
 * Modules are resolved like in the bundler, and a site outside of the host's folder finds the host's packages. Inside of it the paths
 * are relative, so that the folder can be moved.
 */
function sourceTsconfig(folder: string): object {
  const isWithin = !relative(HOST, folder).startsWith('..')
  const toHost = (path: string) => (isWithin ? relative(folder, join(HOST, path)) : join(HOST, path))
  return {
    extends: toHost('tsconfig.json'),
    compilerOptions: {
      module: 'preserve',
      moduleResolution: 'bundler',
      typeRoots: [toHost('node_modules/@types')],
      paths: {
        pentad: [toHost('app/index.ts')],
        'pentad/testing': [toHost('app/testing/index.ts')],
        zod: [toHost('node_modules/zod')],
      },
    },
    // Declares the hooks of services and of extensions such as the store.
    include: ['.', toHost('plugins/**/hooks.ts'), toHost('extensions/**/hooks.ts')],
    exclude: [],
  }
}

/** Links `pentad` next to the extensions of a site outside of the host's folder, for tests and editors. */
function linkHost(folder: string): void {
  try {
    createRequire(join(folder, 'index.ts')).resolve('pentad/package.json')
  } catch {
    const modules = join(dirname(folder), 'node_modules')
    const link = join(modules, 'pentad')
    makeFolder(modules)
    // The host it pointed to was moved.
    if (!existsSync(link)) rmSync(link, { force: true })
    symlinkSync(HOST, link, 'junction')
  }
}
