import { once } from 'node:events'
import { Socket } from 'node:net'
import { type Browser, firefox, type Locator } from 'playwright-core'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

interface FirefoxOptions {
  /** Whether it runs on a device that creates passkeys and confirms each use of one. */
  readonly hasAuthenticator?: boolean
  /** Where it saves files: Playwright reports none that a script creates. */
  readonly downloadsPath?: string
  /** The URL of its connection for push messages; there is none by default. */
  readonly pushServer?: string
}

/**
 * Debian's Firefox, driven by WebDriver BiDi.
 *
 * @param colorScheme - What its user prefers.
 */
export async function launchFirefox(
  colorScheme: 'light' | 'dark',
  { hasAuthenticator = false, downloadsPath, pushServer }: FirefoxOptions = {},
): Promise<Browser> {
  const port = hasAuthenticator ? await freePort() : undefined
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    ...(downloadsPath && { downloadsPath }),
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      'ui.prefersReducedMotion': 1,
      ...(pushServer && {
        'dom.push.serverURL': pushServer,
        'dom.push.testing.allowInsecureServerURL': true,
        'dom.push.connection.enabled': true,
        // Without a desktop, nothing else shows notifications.
        'alerts.useSystemBackend': false,
      }),
      ...(port && {
        'marionette.port': port,
        'security.webauth.webauthn_enable_softtoken': true,
        // Else Firefox waits for a key in a USB port.
        'security.webauth.webauthn_enable_usbtoken': false,
      }),
    },
    args: port ? ['--marionette'] : [],
  })
  if (port) await addAuthenticator(port)
  return browser
}

/** Types like a person: Playwright fills fields of Firefox in a way that React does not notice. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.press('Control+a')
  await field.pressSequentially(text)
}

/** BiDi has no command for it, so Firefox is asked in its own protocol, Marionette, in which messages have their length in front. */
async function addAuthenticator(port: number): Promise<void> {
  const command = JSON.stringify([
    ...[0, 1, 'WebAuthn:AddVirtualAuthenticator'],
    {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserConsenting: true, isUserVerified: true },
    },
  ])
  // Until Firefox ends: it ends its session with the connection.
  const socket = new Socket().setEncoding('utf8')
  // Firefox may listen a moment after it has started.
  const isConnected = () =>
    once(socket.connect(port, '127.0.0.1'), 'connect').then(
      () => true,
      () => false,
    )
  await until(isConnected)
  socket.write(`${Buffer.byteLength(command)}:${command}`)
  let received = ''
  await new Promise<void>((added, failed) => {
    socket.on('error', failed)
    socket.on('data', (text) => {
      received += text
      if (/:\[1,1,null,/.test(received)) added()
      else if (/:\[1,1,/.test(received)) failed(new Error(`Firefox has no authenticator: ${received}`))
    })
  })
}
