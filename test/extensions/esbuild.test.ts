import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { withEsbuild } from '../../cms/esbuild.ts'

describe('esbuild, whose process was ended', () => {
  const transform = () => withEsbuild((esbuild) => esbuild.transform('let a: number = 1', { loader: 'ts' }))

  /** The processes of esbuild that this one started. */
  function processes(): number[] {
    const rows = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    return rows.split('\n').flatMap((row) => (/esbuild.*--service/.test(row) ? [Number.parseInt(row, 10)] : []))
  }

  it('is started again, also for calls that were in progress', async () => {
    await transform()
    for (const pid of processes()) process.kill(pid, 'SIGKILL')
    const results = await Promise.all([transform(), transform(), transform()])
    expect(results.map(({ code }) => code)).to.deep.equal(Array(3).fill('let a = 1;\n'))
    expect(processes()).to.have.length(1)
  })

  it('does not hide other errors', async () => {
    const error = await withEsbuild((esbuild) =>
      esbuild.transform('let =', { loader: 'ts', logLevel: 'silent' }),
    ).catch(String)
    expect(error).to.match(/Expected identifier|Unexpected/)
  })
})
