import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { __ } from '../../i18n.ts'
import { CopyButton } from '../../parts/copy-button.tsx'

/** New recovery codes, which are shown only once: they are scrolled into view, with the focus on their heading. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  const heading = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for other codes in the same place
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [codes])
  return (
    <Alert
      color="teal"
      title={
        <span ref={heading} tabIndex={-1}>
          {__('Save your recovery codes', 'pentad')}
        </span>
      }
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {__(
            'If you lose your device, each code lets you log in once. Save them in a safe place, such as a password manager. You won’t be able to see them again.',
            'pentad',
          )}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" data-testid="recovery-codes">
          {codes.map((code) => (
            <Code key={code} fz="sm">
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <CopyButton value={text} />
          <Button
            component="a"
            size="compact-sm"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="recovery-codes.txt"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {__('Download', 'pentad')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
