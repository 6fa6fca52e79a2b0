import { behavesAsLocation, openLocation, reasonOf } from './behaviour.ts'
import { type LocationServer, startS3 } from './servers.ts'

describe('backup location s3', () => {
  let server: LocationServer
  before(async () => {
    server = await startS3()
  })
  after(() => server.stop())

  behavesAsLocation({
    port: () => server.port,
    reach: (port) => ({ id: 's3', settings: server.settings(port) }),
    resumes: true,
    lossBytes: 24 * 1024 * 1024,
  })
})
