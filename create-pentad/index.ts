#!/usr/bin/env node
/** `npm create pentad my-site`: makes a folder with a site and an extension of its own. */
import { join, relative } from 'node:path'
import { createFromTemplate } from './create-from-template.ts'

const { folder } = createFromTemplate(
  {
    command: 'create-pentad',
    folders: [join(import.meta.dirname, 'template')],
    placeholder: 'my-site',
    files: ['package.json', 'README.md'],
  },
  process.argv[2] ?? 'pentad-site',
)
console.log(`Created ${folder}. Start the site:

  cd ${relative('.', folder) || '.'}
  npm install
  npm start

The administrator's password is printed once. README.md explains the rest.`)
