import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'

/** Passkeys are bound to the host name of the site: browsers have them there and at names below it, not at IP addresses. */
export function isPasskeySupported(): boolean {
  const { hostname } = new URL(pageData.site.url)
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    /^[^[]*[a-z]/.test(hostname) &&
    `.${location.hostname}`.endsWith(`.${hostname}`)
  )
}

/** Creates a passkey on this device. @throws Error with a message for the user */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await navigator.credentials.create({ publicKey })
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
    throw new Error(
      isKnown
        ? __('This device already has a passkey for your account.', 'pentad')
        : __('No passkey was created. Please try again.', 'pentad'),
    )
  }
}

/** The answer of a passkey to a login. @throws Error with a message for the user */
export async function answerWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ publicKey })
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch {
    throw new Error(__('No passkey was used. Please try again.', 'pentad'))
  }
}
