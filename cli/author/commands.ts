import { resolve } from 'node:path'
import { Command } from 'commander'
import { pluralize } from '../../cms/text/pluralize.ts'
import { type CheckedExtension, checkExtension } from './check.ts'
import { makePot } from './make-pot.ts'
import { writePacked } from './pack.ts'

/** The commands for authors, which work in the folder of an extension and need no site. */
export function authorCommands(): readonly Command[] {
  return [
    new Command('check')
      .argument('[folder]', 'the folder of the extension', '.')
      .description(
        'check the types, manifest, and size of an extension, and that it makes no calls that Pentad does not allow',
      )
      .action(check),
    new Command('pack')
      .argument('[folder]', 'the folder of the extension', '.')
      .option('--out <folder>', 'where to write the file', '.')
      .description('write an extension and its dependencies as a file that can be installed and published')
      .action(pack),
    new Command('make-pot')
      .argument('[folder]', 'the folder of the extension', '.')
      .description(
        'write languages/<id>.pot, the template for translators, with the strings that the code passes to __',
      )
      .action(extractTexts),
  ]
}

async function check(folder: string): Promise<void> {
  const checked = await checkExtension(resolve(folder))
  report(checked)
  const { id, packed } = checked
  console.log(
    `${id} has no problems. Its package has ${packed.files.length} files and ${kilobytes(packed.content)} KB.`,
  )
}

async function pack(folder: string, { out }: { out: string }): Promise<void> {
  const checked = await checkExtension(resolve(folder))
  report(checked)
  const { packed } = checked
  console.log(`Wrote ${await writePacked(resolve(out), packed)}`)
  for (const file of packed.files) console.log(`  ${file}`)
  console.log(`Size       ${kilobytes(packed.content)} KB`)
  console.log(`Integrity  ${packed.integrity}`)
}

async function extractTexts(folder: string): Promise<void> {
  const { path, count } = await makePot(resolve(folder))
  console.log(`Wrote ${path} (${pluralize(count, 'string')})`)
}

/** @throws Error with all problems */
function report({ problems, skipped }: CheckedExtension): void {
  for (const notice of skipped) console.error(notice)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

const kilobytes = (content: Buffer) => Math.ceil(content.length / 1024)
