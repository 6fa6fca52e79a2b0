import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export interface Template {
  /** The name of the command, for messages: `create-pentad`. */
  readonly command: string
  /** Folders of the template: files of the later ones replace those of the earlier ones. */
  readonly folders: readonly string[]
  /** The name used in the template, which the name of the new folder replaces. */
  readonly placeholder: string
  /** Files that contain it, relative to the folder. */
  readonly files: readonly string[]
}

/**
 * Copies a template into a new folder. Ends the process if the folder is not empty.
 *
 * @param target - As the user entered it; default: the placeholder.
 * @returns the new folder, and its name as npm allows it
 */
export function createFromTemplate(
  { command, folders, placeholder, files }: Template,
  target = placeholder,
): { readonly folder: string; readonly name: string } {
  const folder = resolve(target)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    console.error(`${command}: ${folder} is not empty. Choose another name.`)
    process.exit(1)
  }
  for (const template of folders) cpSync(template, folder, { recursive: true })
  // npm leaves a .gitignore out of a package.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'))
  const name = packageName(basename(folder)) || placeholder
  for (const file of files) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(placeholder, name))
  }
  return { folder, name }
}

/** The nearest name that npm allows for a package, and Pentad for an extension. */
function packageName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 60)
}
