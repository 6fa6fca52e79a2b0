import { Code, List, Text } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, sprintf } from '../../i18n.ts'
import { formatTime } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { EXTENSIONS } from './types.ts'

type Origin = NonNullable<Responses['GET /host/v1/extensions/{id}/package']>

/** Where an extension was installed from, and what was verified. Nothing if it was put into the folder by hand. */
export function PackageOrigin({ id }: { id: string }) {
  const origin = useRead<Origin | null>(`${EXTENSIONS}/${id}/package`).data
  if (!origin) return null
  const { from, installed, integrity } = origin
  return (
    <Section
      title={__('Package', 'pentad')}
      description={sprintf(__('Installed from %1$s on %2$s', 'pentad'), from, formatTime(installed))}
    >
      <List size="sm">
        {verified(origin).map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
      {integrity !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {__('File checksum:', 'pentad')} <Code>{integrity}</Code>
        </Text>
      )}
    </Section>
  )
}

function verified({ package: name, signedBy, hasProvenance, provenance }: Origin): string[] {
  if (name === null) {
    return [__('The author of the file was not verified, because it does not come from the registry.', 'pentad')]
  }
  return [
    __('Verified: the checksum matches the registry.', 'pentad'),
    signedBy === null
      ? __('Not signed by the registry.', 'pentad')
      : sprintf(__('Verified: the registry’s signature (key %s).', 'pentad'), signedBy),
    describeProvenance(hasProvenance, provenance),
  ]
}

function describeProvenance(hasProvenance: boolean, workflow: string | null): string {
  if (workflow !== null) return sprintf(__('Verified: built by %s (provenance).', 'pentad'), workflow)
  return hasProvenance
    ? __('Not verified: the author’s statement about where the package was built (provenance).', 'pentad')
    : __('The author did not publish where the package was built (provenance).', 'pentad')
}
