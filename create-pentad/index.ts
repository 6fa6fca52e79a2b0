#!/usr/bin/env node
/** `npm create pentad my-site`: makes a folder with a site and an extension of its own. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

const TEMPLATE = join(import.meta.dirname, 'template')

const folder = resolve(process.argv[2] ?? 'pentad-site')
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`create-pentad: ${folder} is not empty. Choose another name.`)
  process.exit(1)
}
cpSync(TEMPLATE, folder, { recursive: true })
// npm leaves a .gitignore out of a package.
renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'))
for (const file of ['package.json', 'README.md']) {
  const path = join(folder, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('my-site', packageName(basename(folder))))
}
console.log(`Created ${folder}. Start the site:

  cd ${relative('.', folder) || '.'}
  npm install
  npm start

The administrator's password is printed once. README.md explains the rest.`)

/** The nearest name that npm allows. */
function packageName(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'my-site'
  )
}
