import { __ } from '../../i18n.ts'
import { Requests } from './requests.tsx'

/** WordPress's _Tools → Erase Personal Data_. */
export default function EraseData() {
  return (
    <Requests
      type="erase"
      title={__('Erase personal data', 'pentad')}
      description={__(
        'When people ask you to erase the data that the site stores about them, enter their email address. They confirm the request by email. Comments are anonymized; accounts are kept until you delete them.',
        'pentad',
      )}
    />
  )
}
