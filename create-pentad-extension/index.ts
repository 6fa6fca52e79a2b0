#!/usr/bin/env node
/** `npm create pentad-extension my-extension`: makes a folder with an extension, its test, and everything needed to publish it. */
import { join, relative } from 'node:path'
import { createFromTemplate } from '../create-pentad/create-from-template.ts'

const { folder, name } = createFromTemplate(
  {
    command: 'create-pentad-extension',
    folder: join(import.meta.dirname, 'template'),
    placeholder: 'my-extension',
    files: ['package.json', 'README.md', 'index.ts', 'index.test.ts'],
  },
  process.argv[2],
)
console.log(`Created the extension ${name} in ${folder}. Try it:

  cd ${relative('.', folder) || '.'}
  npm install
  npm test
  npm run dev

README.md explains the rest.`)
