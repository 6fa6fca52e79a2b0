import { behavesAsLocation, openLocation, reasonOf } from './behaviour.ts'
import { GOOGLE_SETTINGS, type GoogleDriveServer, startGoogleDrive } from './google-drive-server.ts'

describe('backup location googleDrive', () => {
  let server: GoogleDriveServer
  const reach = (port: number, settings = GOOGLE_SETTINGS) => ({
    id: 'googleDrive',
    settings,
    google: { api: `http://127.0.0.1:${port}`, token: `http://127.0.0.1:${port}/token` },
  })
  before(async () => {
    server = await startGoogleDrive()
  })
  after(() => server.stop())

  behavesAsLocation({ port: () => server.port, reach, resumes: true, lossBytes: 1024 * 1024 })
})
