import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import openapiTS, { astToString } from 'openapi-typescript'
import { createTestHost, type TestHost } from 'pentad/testing'
import ts from 'typescript'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'

const root = join(import.meta.dirname, '../..')
/** Never written. The types are checked, as those of a `.d.ts` beside libraries would not be. */
const TYPES = join(root, 'docs/site.ts')
const strict: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'] },
}

describe('A typed client, docs/reference/rest.md', () => {
  /** Fenced as `typescript`: what compiles without types of a site is `ts` (examples.test.ts). */
  const page = readFileSync(join(root, 'docs/reference/rest.md'), 'utf8')
  const [, client = ''] = /^```typescript\n([\s\S]*?)^```/m.exec(page) ?? []
  let site: TestHost
  let types: string
  before(async () => {
    const { publicKey, privateKey } = generateLicenseKeyPair()
    const licenseKey = issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey)
    site = await createTestHost({ services: true, config: { licensePublicKey: publicKey, licenseKey } })
    types = astToString(await openapiTS(await (await site.get('/wp-json/host/v1/openapi.json')).text()))
  })
  after(() => site.close())

  /** Compiles all in one go, as the types of a site are long. @returns what the compiler says of each, and last of the types */
  function errorsIn(...codes: string[]): string[][] {
    const clients = codes.map((code, at) => [join(root, `docs/client-${at}.example.ts`), code] as const)
    const files = new Map([...clients, [TYPES, types]])
    const host = ts.createCompilerHost(strict)
    const { fileExists, readFile, getSourceFile } = host
    host.fileExists = (file) => files.has(file) || fileExists.call(host, file)
    host.readFile = (file) => files.get(file) ?? readFile.call(host, file)
    host.getSourceFile = (file, version, ...rest) => {
      const text = files.get(file)
      return text === undefined
        ? getSourceFile.call(host, file, version, ...rest)
        : ts.createSourceFile(file, text, version)
    }
    const program = ts.createProgram([...files.keys()], strict, host)
    return [...files.keys()].map((file) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    )
  }

  it('compiles with the types of a site under strict', () => {
    expect(errorsIn(client)).to.deep.equal([[], []])
  })

  it('does not compile with a path, parameter or field that the site does not have', () => {
    const mistakes = [
      ["'/wp/v2/posts', { params", "'/wp/v2/postings', { params"],
      ['per_page: 5', 'per_page: true'],
      ['title.rendered', 'title.renderd'],
      ["status: 'draft'", "status: 'drafted'"],
    ] as const
    for (const [right] of mistakes) expect(client).to.include(right)
    const errors = errorsIn(...mistakes.map(([right, wrong]) => client.replace(right, wrong)))
    expect(errors.map(({ length }) => length > 0)).to.deep.equal([true, true, true, true, false])
  })

  it('runs against a running site', async () => {
    const { auth } = site.host
    const admin = await auth.users.getByLogin('admin')
    const { password } = await auth.applicationPasswords.create(admin?.id ?? 0, 'client')
    const code = client.replace('https://example.org', site.url).replace('APPLICATION PASSWORD', password)
    const asModule = ['--input-type=module-typescript', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, asModule, { cwd: root })
    const { items } = await site.host.content.posts.query({ statuses: ['draft'], limit: 1 })
    expect(stdout.trim().split('\n')).to.deep.equal(['1 Hello world!', `${items[0]?.id} Typed`])
  })
})
