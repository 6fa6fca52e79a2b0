import { List, Stack, Text } from '@mantine/core'
import { ApiError } from '../../api/error.ts'
import type { Responses } from '../../api/responses.ts'
import { read } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

/** What an extension asks for before it runs. */
export function readAsked({ id }: Pick<ExtensionReport, 'id'>) {
  return read<Responses['GET /host/v1/extensions/{id}/permissions']>(`${EXTENSIONS}/${id}/permissions`)
}

/** Shows what a sandboxed extension wants to do. Resolves to whether the user allows it. */
export function confirmPermissions(name: string, permissions: readonly string[]): Promise<boolean> {
  return confirm({
    title: sprintf(__('Activate “%s”?', 'pentad'), name),
    body: (
      <Permissions
        text={
          permissions.length === 0
            ? __('It runs in a sandbox and asks for no permissions.', 'pentad')
            : __('It runs in a sandbox. It can only:', 'pentad')
        }
        permissions={permissions}
      />
    ),
    confirm: __('Allow and activate', 'pentad'),
  })
}

/** Shows what a new version wants to do in addition. Resolves to whether the user allows it. */
export function confirmAdded(name: string, added: readonly string[]): Promise<boolean> {
  return confirm({
    title: sprintf(__('Allow more permissions for “%s”?', 'pentad'), name),
    body: <Permissions text={__('The new version requires additional permissions:', 'pentad')} permissions={added} />,
    confirm: __('Allow and update', 'pentad'),
  })
}

function Permissions({ text, permissions }: { text: string; permissions: readonly string[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{text}</Text>
      <List size="sm">
        {permissions.map((permission) => (
          <List.Item key={permission}>{permission}</List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** What the user allowed: further permissions of a new version, and a version with known vulnerabilities. */
export interface Consent {
  readonly permissions: readonly string[]
  readonly ignoreAdvisories: boolean
}

/**
 * Sends a request that installs or replaces an extension. If the server asks for consent, the user is asked, and the request is sent again with
 * what was allowed.
 */
export async function withConsent<Data>(
  send: (consent: Consent) => Promise<Data>,
  consent: Consent = { permissions: [], ignoreAdvisories: false },
): Promise<Data> {
  try {
    return await send(consent)
  } catch (error) {
    const allowed = error instanceof ApiError && (await askFor(error))
    if (!allowed) throw error
    return withConsent(send, { ...consent, ...allowed })
  }
}

/** Asks for what an error names; `false` if the user does not allow it, or if it is another error. */
async function askFor({ code, data, message }: ApiError): Promise<Partial<Consent> | false> {
  if (code === 'extension_vulnerable') {
    const isSure = await confirm({
      title: __('Install a version with known vulnerabilities?', 'pentad'),
      body: message,
      confirm: __('Install anyway', 'pentad'),
      isDestructive: true,
    })
    return isSure && { ignoreAdvisories: true }
  }
  const { name, added } = data
  if (code !== 'extension_permissions_added' || typeof name !== 'string' || !isTexts(added)) return false
  return (await confirmAdded(name, added)) && { permissions: added }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
