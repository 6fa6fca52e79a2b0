import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { ErrorNote } from '../../parts/error-note.tsx'

type Prepared = Responses['POST /host/v1/two-factor/prepare']
type Codes = Responses['POST /host/v1/two-factor']

/** Modules of empty space around a QR code. */
const QUIET_ZONE = 4

/** A button with a dialog that sets up an authenticator app. */
export function SetUpTwoFactor(props: {
  readonly isReplacement: boolean
  /** The route whose response changes. */
  readonly route: string
  readonly onCodes: (codes: readonly string[]) => void
}) {
  const { isReplacement, route, onCodes } = props
  const [code, setCode] = useState('')
  const prepare = useChange(() => change<Prepared>('POST', 'host/v1/two-factor/prepare'))
  const enable = useChange((secret: string) => change<Codes>('POST', 'host/v1/two-factor', { secret, code }), {
    invalidates: [route],
    done: __('Two-factor authentication turned on.', 'pentad'),
    quiet: true,
  })
  const prepared = prepare.data
  const close = () => {
    prepare.reset()
    setCode('')
  }
  const cancel = () => {
    enable.reset()
    close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!prepared) return
    enable.mutate(prepared.secret, {
      onSuccess({ recoveryCodes }) {
        close()
        onCodes(recoveryCodes)
      },
    })
  }
  return (
    <>
      <Button
        variant={isReplacement ? 'default' : 'filled'}
        loading={prepare.isPending}
        onClick={() => prepare.mutate()}
      >
        {isReplacement ? __('Change authenticator app', 'pentad') : __('Set up authenticator app', 'pentad')}
      </Button>
      {/* After success, the recovery codes have the focus. */}
      <Modal
        opened={prepared !== undefined}
        onClose={cancel}
        returnFocus={!enable.isSuccess}
        title={__('Set up authenticator app', 'pentad')}
      >
        {prepared && (
          <form onSubmit={submit}>
            <Stack>
              <Text size="sm">
                {__(
                  'Scan the QR code with an authenticator app, such as 2FAS, Aegis, Google Authenticator, or your password manager. Then enter the code that the app shows.',
                  'pentad',
                )}
              </Text>
              <QrCode modules={prepared.qrCode} />
              <div>
                <Text size="sm" c="dimmed">
                  {__('If you can’t scan it, enter this key:', 'pentad')}
                </Text>
                <Code data-testid="two-factor-key">{prepared.secret.replace(/.{4}(?=.)/g, '$& ')}</Code>
              </div>
              {enable.error && <ErrorNote error={enable.error} />}
              <TextInput
                label={__('Code that the app shows', 'pentad')}
                required
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={10}
                data-autofocus
                value={code}
                onChange={({ currentTarget: { value } }) => setCode(value)}
              />
              <Group justify="flex-end">
                <Button variant="subtle" onClick={cancel}>
                  {__('Cancel', 'pentad')}
                </Button>
                <Button type="submit" loading={enable.isPending} disabled={code.trim() === ''}>
                  {__('Turn on', 'pentad')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  )
}

/** Dark on light in both color schemes, because not all cameras read inverted codes. */
function QrCode({ modules }: { modules: Prepared['qrCode'] }) {
  const size = modules.length + 2 * QUIET_ZONE
  const path = modules.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : [])),
  )
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      role="img"
      aria-label={__('QR code', 'pentad')}
      shapeRendering="crispEdges"
      style={{ alignSelf: 'center' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
