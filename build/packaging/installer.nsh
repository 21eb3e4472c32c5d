; Lets terminals reach the hub through the Windows firewall: electron-builder.yml includes this in the NSIS installer.
;
; The rule is for this program alone, and only on networks that Windows knows as private. Changing the firewall needs an
; administrator, which the installer itself does not: Windows asks once. Without that consent the app is installed all the
; same, and its wizard says how the firewall is opened. An update keeps the rule and asks nothing.

!define HUB_FIREWALL_RULE "Comanda Hub"

!macro customInstall
  ${ifNot} ${isUpdated}
  ${andIfNot} ${Silent}
    ; An older rule may be of another folder.
    ExecShellWait "runas" "$SYSDIR\cmd.exe" '/c netsh advfirewall firewall delete rule name="${HUB_FIREWALL_RULE}" & netsh advfirewall firewall add rule name="${HUB_FIREWALL_RULE}" dir=in action=allow program="$INSTDIR\${APP_EXECUTABLE_FILENAME}" profile=private enable=yes' SW_HIDE
  ${endIf}
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
  ${andIfNot} ${Silent}
    ExecShellWait "runas" "$SYSDIR\netsh.exe" 'advfirewall firewall delete rule name="${HUB_FIREWALL_RULE}"' SW_HIDE
  ${endIf}
!macroend
