import { Stack, Table, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import type { ModelKind, Providers } from './routes.ts'

const KINDS: readonly { readonly kind: ModelKind; readonly label: string; readonly without: string }[] = [
  {
    kind: 'text',
    label: __('Texts and the copilot', 'pentad'),
    without: __('Nothing yet: connect a provider below.', 'pentad'),
  },
  {
    kind: 'image',
    label: __('Images', 'pentad'),
    without: __('Nothing: OpenAI, Google or a named model of a compatible server can draw.', 'pentad'),
  },
  {
    kind: 'embedding',
    label: __('Related posts', 'pentad'),
    without: __('Their words decide: no connected provider compares meanings.', 'pentad'),
  },
]

/** Which model each kind of work goes to. */
export function Choices({ choices }: Pick<Providers, 'choices'>) {
  return (
    <Stack gap="xs">
      <Table aria-label={__('Models in use', 'pentad')}>
        <Table.Tbody>
          {KINDS.map(({ kind, label, without }) => {
            const choice = choices[kind]
            return (
              <Table.Tr key={kind}>
                <Table.Th scope="row" w="35%">
                  {label}
                </Table.Th>
                <Table.Td>
                  {choice ? (
                    `${choice.provider}/${choice.model}`
                  ) : (
                    <Text size="sm" c="dimmed">
                      {without}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
