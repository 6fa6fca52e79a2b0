import { behavesAsLocation, openLocation, reasonOf } from './behaviour.ts'
import { type SftpServer, startSftp } from './servers.ts'

describe('backup location sftp', () => {
  let server: SftpServer
  before(async () => {
    server = await startSftp()
  })
  after(() => server.stop())

  behavesAsLocation({
    port: () => server.port,
    reach: (port) => ({ id: 'sftp', settings: server.settings(port) }),
    resumes: true,
    lossBytes: 8 * 1024 * 1024,
  })
})
