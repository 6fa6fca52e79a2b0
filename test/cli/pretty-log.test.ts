import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { createHost, defineExtension } from 'pentad/host'
import { createPrettyLog } from '../../cli/pretty-log.ts'
import { createLog } from '../../core/log.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('The log on a terminal', () => {
  function linesOf(write: (log: ReturnType<typeof createLog>) => void): string[] {
    const out = new PassThrough({ encoding: 'utf8' })
    write(createLog('debug', createPrettyLog(out)))
    return (out.read() ?? '').split('\n')
  }

  it('has one line per record, with level, message and fields', () => {
    const [line, ...others] = linesOf((log) =>
      log.warn({ extension: 'shop', calls: ['GET /x'], password: 'x' }, 'extension paused'),
    )
    expect(line).to.match(
      /^\d\d:\d\d:\d\d warn {2}extension paused extension=shop calls=\["GET \/x"\] password=\[redacted\]$/,
    )
    expect(others).to.deep.equal([''])
  })

  it('shows the stack of an error below', () => {
    const [line, first, second] = linesOf((log) => log.error({ err: new TypeError('no such price') }, 'request failed'))
    expect(line).to.match(/error request failed$/)
    expect(first).to.equal('  TypeError: no such price')
    expect(second).to.match(/^ {6}at .*pretty-log\.test\.ts/)
  })

  it('passes on what is not a record', () => {
    const out = new PassThrough({ encoding: 'utf8' })
    createPrettyLog(out).write('no JSON\n')
    expect(out.read()).to.equal('no JSON\n')
  })
})

describe('The log', () => {
  it('has the ID of the request in each record about it, also in those of extensions', async () => {
    const lines: string[] = []
    const noisy = defineExtension({
      id: 'noisy',
      name: 'Noisy',
      version: '1.0.0',
      setup({ rest, log }) {
        rest.registerRoute('noisy/v1', {
          method: 'GET',
          path: '/x',
          access: 'public',
          handler: () => {
            log.info('asked')
            return {}
          },
        })
        log.info('set up')
      },
    })
    const config = { siteDir: temporaryFolder(), port: 0, logLevel: 'info' } as const
    const host = await createHost(config, { extensions: [noisy], logTo: { write: (line) => void lines.push(line) } })
    try {
      const response = await fetch(`${await host.listen()}/wp-json/noisy/v1/x`)
      const record = (message: string) => JSON.parse(lines.find((line) => line.includes(`"${message}"`)) ?? '{}')
      expect(record('asked')).to.include({ extension: 'noisy', requestId: response.headers.get('x-request-id') })
      expect(record('set up')).to.include({ extension: 'noisy' }).and.not.have.property('requestId')
    } finally {
      await host.close()
    }
  })
})
