import { basename, dirname, extname, sep } from 'node:path'

/**
 * How the user runs a command of this installation, for messages: `npx pentad backup list` where the npm package is installed, `pentad …`
 * where it is installed globally or in the image, `npm run pentad -- …` in a clone.
 *
 * @param args - Arguments of the command: `backup list`.
 * @param script - The file that Node.js runs, as it was called.
 */
export function ownCommand(args: string, script = process.argv[1] ?? ''): string {
  if (extname(import.meta.filename) === '.ts') return `npm run pentad -- ${args}`
  if (basename(script) !== 'pentad') return `node ${script} ${args}`
  const isLocal = dirname(script).endsWith(`node_modules${sep}.bin`)
  return `${isLocal ? 'npx pentad' : 'pentad'} ${args}`
}
