import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { readProject } from './manifest.ts'
import { CREATE_EXTENSION_FOLDER, CREATE_FOLDER, ROOT } from './places.ts'

type Project = Awaited<ReturnType<typeof readProject>>

/** Makes the packages of `npm create pentad` and `npm create pentad-extension`, whose templates depend on this version of Pentad. */
export async function buildCreatePackages(): Promise<void> {
  const project = await readProject()
  const { version, dependencies, devDependencies } = project
  const pentad = `^${version}`
  await buildCreatePackage(CREATE_FOLDER, 'create-pentad', project, {
    description: 'Creates a Pentad site: npm create pentad my-site',
    template: { dependencies: { pentad, zod: dependencies.zod } },
  })
  await buildCreatePackage(CREATE_EXTENSION_FOLDER, 'create-pentad-extension', project, {
    description: 'Creates an extension for Pentad: npm create pentad-extension my-extension',
    template: { devDependencies: { pentad, typescript: devDependencies.typescript, zod: dependencies.zod } },
  })
  const sandboxed = 'template-sandbox'
  await cp(join(ROOT, 'create-pentad-extension', sandboxed), join(CREATE_EXTENSION_FOLDER, sandboxed), {
    recursive: true,
  })
  for (const template of ['template', sandboxed]) {
    const entry = join(CREATE_EXTENSION_FOLDER, template, 'index.ts')
    const code = await readFile(entry, 'utf8')
    await writeFile(entry, code.replace("requires: { pentad: '*' }", `requires: { pentad: '${pentad}' }`))
  }
}

async function buildCreatePackage(
  folder: string,
  name: string,
  { version, license, type, engines, repository }: Project,
  { description, template }: { readonly description: string; readonly template: object },
): Promise<void> {
  const source = join(ROOT, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(source, 'template'), join(folder, 'template'), { recursive: true })
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  await build({
    entryPoints: [join(source, 'index.ts')],
    outfile: join(folder, 'index.js'),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node24' },
  })
  const writeJson = (file: string, value: object) =>
    writeFile(join(folder, file), `${JSON.stringify(value, null, 2)}\n`)
  const bin = { [name]: 'index.js' }
  await writeJson('package.json', { name, version, description, license, type, engines, repository, bin })
  const site = JSON.parse(await readFile(join(source, 'template/package.json'), 'utf8'))
  await writeJson('template/package.json', { ...site, ...template, engines })
}
