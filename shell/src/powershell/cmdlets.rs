//! The cmdlets with their aliases and positional parameters. Their effects are in their records.

/// How the arguments of a cmdlet are bound to its parameters.
pub(super) struct Cmdlet {
    /// The canonical name.
    pub(super) name: &'static str,
    /// The positional parameters, in order.
    pub(super) positions: &'static [&'static str],
    /// The parameters whose values become the operands of the command that the record describes: usually paths.
    pub(super) operands: &'static [&'static str],
    /// Whether the operands are paths, in which slashes replace backslashes.
    pub(super) operand_kind: OperandKind,
    /// Whether objects that are piped into the cmdlet become its operands.
    pub(super) piped: PipedInput,
}

/// What the operands of a cmdlet are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandKind {
    /// Paths, with globs.
    Paths,
    /// Texts.
    Texts,
}

/// What becomes of the objects that are piped into a cmdlet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PipedInput {
    /// They become its operands.
    Operands,
    /// They become its operands if they are files, and its standard input if they are texts.
    FilesOrInput,
    /// They become its standard input.
    Input,
}

/// The parameters that name the files of most cmdlets.
const FILES: &[&str] = &["Path", "LiteralPath"];

/// Returns a cmdlet whose operands are files, which may also be piped into it.
const fn file_cmdlet(name: &'static str, positions: &'static [&'static str]) -> Cmdlet {
    Cmdlet { name, positions, operands: FILES, operand_kind: OperandKind::Paths, piped: PipedInput::Operands }
}

/// Returns a cmdlet whose operands are files, and which takes its standard input from the pipeline.
const fn into_files(name: &'static str, positions: &'static [&'static str]) -> Cmdlet {
    Cmdlet { piped: PipedInput::Input, operands: &["Path", "LiteralPath", "FilePath"], ..file_cmdlet(name, positions) }
}

/// Returns a cmdlet that searches files, which may be piped into it, or the texts that are.
const fn search_cmdlet(name: &'static str, positions: &'static [&'static str]) -> Cmdlet {
    Cmdlet { piped: PipedInput::FilesOrInput, ..file_cmdlet(name, positions) }
}

/// Returns a cmdlet whose operands are texts.
const fn text_cmdlet(name: &'static str, operands: &'static [&'static str]) -> Cmdlet {
    Cmdlet { name, positions: operands, operands, operand_kind: OperandKind::Texts, piped: PipedInput::Input }
}

/// The cmdlets whose arguments are bound. A `Destination` comes after the other operands, as with `cp`.
const CMDLETS: &[Cmdlet] = &[
    file_cmdlet("Remove-Item", &["Path"]),
    file_cmdlet("Clear-Content", &["Path"]),
    file_cmdlet("Clear-Item", &["Path"]),
    file_cmdlet("Get-Content", &["Path"]),
    file_cmdlet("Get-Item", &["Path"]),
    file_cmdlet("Get-ChildItem", &["Path", "Filter"]),
    file_cmdlet("Get-Acl", &["Path"]),
    file_cmdlet("Get-FileHash", &["Path"]),
    search_cmdlet("Format-Hex", &["Path"]),
    file_cmdlet("Import-Csv", &["Path", "Delimiter"]),
    file_cmdlet("Import-Clixml", &["Path"]),
    file_cmdlet("Import-PowerShellDataFile", &["Path"]),
    search_cmdlet("Select-String", &["Pattern", "Path"]),
    file_cmdlet("Select-Xml", &["XPath", "Path"]),
    file_cmdlet("Set-Acl", &["Path", "AclObject"]),
    file_cmdlet("Set-ItemProperty", &["Path", "Name", "Value"]),
    file_cmdlet("New-ItemProperty", &["Path", "Name"]),
    file_cmdlet("Remove-ItemProperty", &["Path", "Name"]),
    file_cmdlet("Get-ItemProperty", &["Path", "Name"]),
    file_cmdlet("Unblock-File", &["Path"]),
    file_cmdlet("Test-Path", &["Path"]),
    file_cmdlet("Resolve-Path", &["Path"]),
    file_cmdlet("Convert-Path", &["Path"]),
    file_cmdlet("Copy-Item", &["Path", "Destination"]),
    file_cmdlet("Move-Item", &["Path", "Destination"]),
    file_cmdlet("Rename-Item", &["Path", "NewName"]),
    file_cmdlet("Compress-Archive", &["Path", "DestinationPath"]),
    file_cmdlet("Expand-Archive", &["Path", "DestinationPath"]),
    file_cmdlet("Invoke-Item", &["Path"]),
    into_files("Set-Content", &["Path", "Value"]),
    into_files("Add-Content", &["Path", "Value"]),
    into_files("Set-Item", &["Path", "Value"]),
    into_files("New-Item", &["Path"]),
    into_files("Out-File", &["FilePath", "Encoding"]),
    into_files("Tee-Object", &["FilePath"]),
    into_files("Export-Csv", &["Path", "Delimiter"]),
    into_files("Export-Clixml", &["Path"]),
    into_files("Start-Transcript", &["Path"]),
    into_files("Set-Location", &["Path"]),
    into_files("Push-Location", &["Path"]),
    into_files("Import-Module", &["Name"]),
    text_cmdlet("Invoke-WebRequest", &["Uri"]),
    text_cmdlet("Invoke-RestMethod", &["Uri"]),
    Cmdlet { positions: &["Source", "Destination"], ..text_cmdlet("Start-BitsTransfer", &["Source"]) },
    text_cmdlet("Invoke-Expression", &["Command"]),
    Cmdlet { positions: &["FilePath", "ArgumentList"], ..text_cmdlet("Start-Process", &["FilePath"]) },
    text_cmdlet("Invoke-Command", &["ScriptBlock"]),
    text_cmdlet("Start-Job", &["ScriptBlock"]),
    text_cmdlet("Start-ThreadJob", &["ScriptBlock"]),
    text_cmdlet("Measure-Command", &["Expression"]),
    text_cmdlet("Trace-Command", &["Name", "Expression"]),
    text_cmdlet("Write-Host", &["Object"]),
];

/// Aliases and their cmdlets, as `Get-Alias` lists them in PowerShell 7.4 and Windows PowerShell 5.1. Some are names
/// of `cmd` commands with the same effect.
const ALIASES: &[(&str, &str)] = &[
    ("%", "ForEach-Object"),
    ("?", "Where-Object"),
    ("ac", "Add-Content"),
    ("cat", "Get-Content"),
    ("cd", "Set-Location"),
    ("chdir", "Set-Location"),
    ("clc", "Clear-Content"),
    ("cli", "Clear-Item"),
    ("compare", "Compare-Object"),
    ("copy", "Copy-Item"),
    ("cp", "Copy-Item"),
    ("cpi", "Copy-Item"),
    ("curl", "Invoke-WebRequest"),
    ("cvpa", "Convert-Path"),
    ("del", "Remove-Item"),
    ("diff", "Compare-Object"),
    ("dir", "Get-ChildItem"),
    ("echo", "Write-Output"),
    ("epcsv", "Export-Csv"),
    ("erase", "Remove-Item"),
    ("fc", "Format-Custom"),
    ("foreach", "ForEach-Object"),
    ("gc", "Get-Content"),
    ("gci", "Get-ChildItem"),
    ("gcm", "Get-Command"),
    ("gi", "Get-Item"),
    ("gp", "Get-ItemProperty"),
    ("gps", "Get-Process"),
    ("gsv", "Get-Service"),
    ("gv", "Get-Variable"),
    ("gwmi", "Get-WmiObject"),
    ("icm", "Invoke-Command"),
    ("iex", "Invoke-Expression"),
    ("ii", "Invoke-Item"),
    ("ipcsv", "Import-Csv"),
    ("ipmo", "Import-Module"),
    ("irm", "Invoke-RestMethod"),
    ("iwmi", "Invoke-WmiMethod"),
    ("iwr", "Invoke-WebRequest"),
    ("kill", "Stop-Process"),
    ("ls", "Get-ChildItem"),
    ("measure", "Measure-Object"),
    ("mi", "Move-Item"),
    ("mount", "New-PSDrive"),
    ("move", "Move-Item"),
    ("mp", "Move-ItemProperty"),
    ("mv", "Move-Item"),
    ("nal", "New-Alias"),
    ("ndr", "New-PSDrive"),
    ("ni", "New-Item"),
    ("nv", "New-Variable"),
    ("ogv", "Out-GridView"),
    ("oh", "Out-Host"),
    ("popd", "Pop-Location"),
    ("ps", "Get-Process"),
    ("pushd", "Push-Location"),
    ("pwd", "Get-Location"),
    ("gl", "Get-Location"),
    ("rd", "Remove-Item"),
    ("ren", "Rename-Item"),
    ("ri", "Remove-Item"),
    ("rjb", "Remove-Job"),
    ("rm", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("rmo", "Remove-Module"),
    ("rni", "Rename-Item"),
    ("rp", "Remove-ItemProperty"),
    ("rv", "Remove-Variable"),
    ("rvpa", "Resolve-Path"),
    ("sajb", "Start-Job"),
    ("sal", "Set-Alias"),
    ("saps", "Start-Process"),
    ("sasv", "Start-Service"),
    ("sc", "Set-Content"),
    ("select", "Select-Object"),
    ("set", "Set-Variable"),
    ("si", "Set-Item"),
    ("sl", "Set-Location"),
    ("sleep", "Start-Sleep"),
    ("sls", "Select-String"),
    ("sort", "Sort-Object"),
    ("sp", "Set-ItemProperty"),
    ("spjb", "Stop-Job"),
    ("spps", "Stop-Process"),
    ("spsv", "Stop-Service"),
    ("start", "Start-Process"),
    ("sv", "Set-Variable"),
    ("tee", "Tee-Object"),
    ("type", "Get-Content"),
    ("wget", "Invoke-WebRequest"),
    ("where", "Where-Object"),
    ("write", "Write-Output"),
];

/// Aliases that exist only on Windows. Elsewhere, a program has the name.
const ALSO_PROGRAMS: &[&str] =
    &["cat", "cp", "curl", "diff", "ls", "mount", "mv", "ps", "rm", "rmdir", "sleep", "sort", "tee", "wget", "kill"];

/// Cmdlets that a policy may name and that are not in the table above.
const OTHERS: &[&str] = &[
    "Add-Computer",
    "Add-LocalGroupMember",
    "Add-MpPreference",
    "Add-Type",
    "Checkpoint-Computer",
    "Clear-Disk",
    "Clear-EventLog",
    "Clear-History",
    "Clear-Host",
    "Clear-RecycleBin",
    "Clear-Variable",
    "Compare-Object",
    "ConvertFrom-Csv",
    "ConvertFrom-Json",
    "ConvertFrom-SecureString",
    "ConvertTo-Csv",
    "ConvertTo-Html",
    "ConvertTo-Json",
    "ConvertTo-SecureString",
    "ConvertTo-Xml",
    "Copy-ItemProperty",
    "Debug-Process",
    "Disable-ComputerRestore",
    "Disable-LocalUser",
    "Disable-NetAdapter",
    "Disable-NetFirewallRule",
    "Disable-ScheduledTask",
    "Disable-WindowsOptionalFeature",
    "Dismount-DiskImage",
    "Enable-LocalUser",
    "Enable-PSRemoting",
    "Enable-WindowsOptionalFeature",
    "Enter-PSSession",
    "Export-ModuleMember",
    "ForEach-Object",
    "Format-Custom",
    "Format-List",
    "Format-Table",
    "Format-Volume",
    "Format-Wide",
    "Get-Alias",
    "Get-CimInstance",
    "Get-Clipboard",
    "Get-Command",
    "Get-ComputerInfo",
    "Get-Credential",
    "Get-Date",
    "Get-EventLog",
    "Get-ExecutionPolicy",
    "Get-Help",
    "Get-History",
    "Get-Host",
    "Get-Job",
    "Get-Location",
    "Get-Member",
    "Get-Module",
    "Get-NetIPAddress",
    "Get-NetTCPConnection",
    "Get-Package",
    "Get-Process",
    "Get-PSDrive",
    "Get-Random",
    "Get-Service",
    "Get-StoredCredential",
    "Get-Secret",
    "Get-TimeZone",
    "Get-Unique",
    "Get-Variable",
    "Get-Volume",
    "Get-WinEvent",
    "Get-WmiObject",
    "Group-Object",
    "Initialize-Disk",
    "Install-Module",
    "Install-Package",
    "Install-PSResource",
    "Install-Script",
    "Invoke-CimMethod",
    "Invoke-History",
    "Invoke-Pester",
    "Invoke-ScriptAnalyzer",
    "Invoke-WmiMethod",
    "Join-Path",
    "Limit-EventLog",
    "Measure-Object",
    "Mount-DiskImage",
    "Move-ItemProperty",
    "New-Alias",
    "New-CimSession",
    "New-Guid",
    "New-LocalUser",
    "New-Module",
    "New-NetFirewallRule",
    "New-Object",
    "New-Partition",
    "New-PSDrive",
    "New-PSSession",
    "New-ScheduledTask",
    "New-Service",
    "New-TemporaryFile",
    "New-TimeSpan",
    "New-Variable",
    "Out-Default",
    "Out-GridView",
    "Out-Host",
    "Out-Null",
    "Out-Printer",
    "Out-String",
    "Pop-Location",
    "Publish-Module",
    "Publish-PSResource",
    "Publish-Script",
    "Read-Host",
    "Receive-Job",
    "Register-PSRepository",
    "Register-ScheduledTask",
    "Register-ScheduledJob",
    "Remove-Alias",
    "Remove-CimInstance",
    "Remove-Computer",
    "Remove-EventLog",
    "Remove-Job",
    "Remove-LocalGroup",
    "Remove-LocalUser",
    "Remove-Module",
    "Remove-MpPreference",
    "Remove-NetFirewallRule",
    "Remove-Package",
    "Remove-Partition",
    "Remove-PSDrive",
    "Remove-PSSession",
    "Remove-Service",
    "Remove-SmbShare",
    "Remove-Variable",
    "Remove-VM",
    "Remove-WindowsFeature",
    "Remove-WmiObject",
    "Rename-Computer",
    "Rename-ItemProperty",
    "Repair-Volume",
    "Reset-ComputerMachinePassword",
    "Resize-Partition",
    "Restart-Computer",
    "Restart-Service",
    "Restore-Computer",
    "Save-Module",
    "Select-Object",
    "Send-MailMessage",
    "Set-Alias",
    "Set-Clipboard",
    "Set-Date",
    "Set-Disk",
    "Set-ExecutionPolicy",
    "Set-LocalUser",
    "Set-MpPreference",
    "Set-NetFirewallProfile",
    "Set-Partition",
    "Set-PSDebug",
    "Set-PSRepository",
    "Set-Secret",
    "Set-Service",
    "Set-StrictMode",
    "Set-TimeZone",
    "Set-Variable",
    "Show-Command",
    "Sort-Object",
    "Split-Path",
    "Start-ScheduledTask",
    "Start-Service",
    "Start-Sleep",
    "Stop-Computer",
    "Stop-Job",
    "Stop-Process",
    "Stop-Service",
    "Stop-Transcript",
    "Stop-VM",
    "Suspend-Service",
    "Tee-Object",
    "Test-Connection",
    "Test-NetConnection",
    "Uninstall-Module",
    "Uninstall-Package",
    "Unregister-ScheduledTask",
    "Update-Help",
    "Update-Module",
    "Wait-Job",
    "Wait-Process",
    "Where-Object",
    "Write-Debug",
    "Write-Error",
    "Write-EventLog",
    "Write-Information",
    "Write-Output",
    "Write-Progress",
    "Write-Verbose",
    "Write-Warning",
];

/// The switches that every cmdlet has and that do not change its effect.
pub(super) const COMMON_SWITCHES: &[&str] = &["Verbose", "Debug", "Confirm", "vb", "db", "cf"];
/// The parameters with a value that every cmdlet has and that do not change its effect.
pub(super) const COMMON_VALUES: &[&str] = &[
    "ErrorAction",
    "WarningAction",
    "InformationAction",
    "ProgressAction",
    "ErrorVariable",
    "WarningVariable",
    "InformationVariable",
    "OutVariable",
    "OutBuffer",
    "PipelineVariable",
    "ea",
    "wa",
    "infa",
    "proga",
    "ev",
    "wv",
    "iv",
    "ov",
    "ob",
    "pv",
];

/// Returns the canonical name of a cmdlet, given its name or an alias in any case; `None` if there is no such cmdlet.
pub(crate) fn canonical_name(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|(_, cmdlet)| *cmdlet);
    alias.or_else(|| own_name(name))
}

/// Returns the canonical name of a cmdlet, given its name in any case; `None` for an alias or an unknown name.
pub(crate) fn own_name(name: &str) -> Option<&'static str> {
    if !name.contains('-') {
        return None;
    }
    let names = CMDLETS.iter().map(|cmdlet| cmdlet.name).chain(OTHERS.iter().copied());
    names.into_iter().find(|own| own.eq_ignore_ascii_case(name))
}

/// Returns how the arguments of a cmdlet are bound; `None` if it has no row.
pub(super) fn cmdlet(name: &str) -> Option<&'static Cmdlet> {
    CMDLETS.iter().find(|cmdlet| cmdlet.name == name)
}

/// Whether the name is an alias on Windows, but a program elsewhere.
pub(super) fn may_be_program(name: &str) -> bool {
    ALSO_PROGRAMS.iter().any(|own| own.eq_ignore_ascii_case(name))
}
