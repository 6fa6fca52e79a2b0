import { expect } from 'chai'
import { commandOf } from '../../app/own-command.ts'

describe('A command in a message', () => {
  const file = (script: string, module = '/app/node_modules/pentad/cli/own-command.js') => commandOf(script, module)

  it('is the one that exists where Pentad runs', () => {
    expect(file('/srv/cli/index.ts', '/srv/cli/own-command.ts')).to.equal('npm run pentad --')
    expect(file('/srv/my-site/node_modules/.bin/pentad')).to.equal('npx pentad')
    expect(file('/usr/local/bin/pentad')).to.equal('pentad')
    expect(file('/opt/pentad/node_modules/pentad/cli/index.js')).to.equal(
      'node /opt/pentad/node_modules/pentad/cli/index.js',
    )
  })
})
