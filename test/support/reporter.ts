import { writeFileSync } from 'node:fs'
import Mocha from 'mocha'

/** Mocha's `spec`, which also writes the files of failed tests, one a line, to `MOCHA_FAILED_FILES`. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    const target = process.env.MOCHA_FAILED_FILES
    if (target === undefined) return
    const files = new Set<string>()
    runner.on('fail', ({ file }) => {
      // An error outside of tests has no file, and is not to be forgiven.
      files.add(file ?? '')
    })
    runner.once('end', () => writeFileSync(target, [...files].map((file) => `${file}\n`).join('')))
  }
}
