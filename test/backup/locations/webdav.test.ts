import { behavesAsLocation, openLocation, reasonOf } from './behaviour.ts'
import { type LocationServer, startWebdav } from './servers.ts'

describe('backup location webdav', () => {
  let server: LocationServer
  before(async () => {
    server = await startWebdav()
  })
  after(() => server.stop())

  behavesAsLocation({
    port: () => server.port,
    reach: (port) => ({ id: 'webdav', settings: server.settings(port) }),
    resumes: false,
    lossBytes: 0,
  })
})
