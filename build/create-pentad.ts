import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { readProject } from './manifest.ts'
import { CREATE_FOLDER, ROOT } from './places.ts'

const SOURCE = join(ROOT, 'create-pentad')

/** Makes the package of `npm create pentad`, whose sites depend on this version of Pentad. */
export async function buildCreatePackage(): Promise<void> {
  const { version, license, type, engines, dependencies } = await readProject()
  await rm(CREATE_FOLDER, { recursive: true, force: true })
  await mkdir(CREATE_FOLDER, { recursive: true })
  await cp(join(SOURCE, 'template'), join(CREATE_FOLDER, 'template'), { recursive: true })
  await cp(join(ROOT, 'LICENSE'), join(CREATE_FOLDER, 'LICENSE'))
  const { code } = await transform(await readFile(join(SOURCE, 'index.ts'), 'utf8'), { loader: 'ts', target: 'node24' })
  await writeFile(join(CREATE_FOLDER, 'index.js'), code)
  const description = 'Creates a Pentad site: npm create pentad my-site'
  const bin = { 'create-pentad': 'index.js' }
  await writeJson('package.json', { name: 'create-pentad', version, description, license, type, engines, bin })
  const site = JSON.parse(await readFile(join(SOURCE, 'template/package.json'), 'utf8'))
  const needs = { pentad: `^${version}`, zod: dependencies.zod }
  await writeJson('template/package.json', { ...site, dependencies: needs, engines })
}

async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(join(CREATE_FOLDER, file), `${JSON.stringify(value, null, 2)}\n`)
}
