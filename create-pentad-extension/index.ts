#!/usr/bin/env node
/**
 * `npm create pentad-extension my-extension`: makes a folder with an extension, its test, and everything needed to publish it. With `-- --sandbox`,
 * the extension runs in a sandbox.
 */
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { createFromTemplate } from '../create-pentad/create-from-template.ts'

const { values, positionals } = parseArgs({ options: { sandbox: { type: 'boolean' } }, allowPositionals: true })
const templates = ['template', ...(values.sandbox ? ['template-sandbox'] : [])]
const { folder, name } = createFromTemplate(
  {
    command: 'create-pentad-extension',
    folders: templates.map((template) => join(import.meta.dirname, template)),
    placeholder: 'my-extension',
    files: ['package.json', 'README.md', 'index.ts', 'test/index.test.ts'],
  },
  positionals[0],
)
console.log(`Created the extension ${name} in ${folder}. Try it:

  cd ${relative('.', folder) || '.'}
  npm install
  npm test
  npm run dev

README.md explains the rest.`)
