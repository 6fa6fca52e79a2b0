import { basename, dirname, extname, join } from 'node:path'

/**
 * A command of this installation as the user runs it, for messages: `npx pentad backup list`.
 *
 * @param args - What follows the name of the program: `backup list`.
 */
export function ownCommand(args: string): string {
  return `${commandOf(process.argv[1] ?? '', import.meta.filename)} ${args}`
}

/**
 * `npm run pentad --` in a clone, `npx pentad` where the npm package is installed in a project, `pentad` where it is in the path, as in the
 * image, and otherwise the file that Node.js runs.
 *
 * @param script - The file that Node.js runs, as it was called.
 * @param file - A file of the product: compiled in the npm package.
 */
export function commandOf(script: string, file: string): string {
  if (extname(file) === '.ts') return 'npm run pentad --'
  if (basename(script) !== 'pentad') return `node ${script}`
  return dirname(script).endsWith(join('node_modules', '.bin')) ? 'npx pentad' : 'pentad'
}
