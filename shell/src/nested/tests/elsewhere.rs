//! Other machines and containers.

use super::table;

#[test]
fn other_machines() {
    table(
        "
        ssh h rm -rf x => sh: rm -rf x @remote in <ssh>
        ssh -p 22 -i k -o X=Y u@h 'cd /x && rm y' => sh: cd /x && rm y @remote in <ssh>
        ssh -tp22 h -- rm x => sh: rm x @remote in <ssh>
        ssh h -t -p 22 sudo rm x => sh: sudo rm x @remote in <ssh>
        ssh -f h rm x => sh: rm x @remote in <ssh> background
        ssh h => stdin @remote in <ssh>
        ssh h rm \"$X\" => sh: rm <$X> @remote in <ssh>
        ssh -o ProxyCommand='nc %h 22' h => sh: nc %h 22 ; stdin @remote in <ssh>
        ssh -o 'LocalCommand rm x' h ls => sh: rm x ; sh: ls @remote in <ssh>
        ssh -oRemoteCommand=ls h => sh: ls @remote in <ssh> ; stdin @remote in <ssh>
        ssh me@localhost rm x => sh: rm x in <ssh>
        ssh ssh://127.0.0.1:22 rm x => sh: rm x in <ssh>
        ssh localhost.example rm x => sh: rm x @remote in <ssh>
        ssh -N -L 1:h:1 h =>
        ssh -O exit h =>
        ssh -V =>
        ssh =>
        autossh -M 0 -f h rm x => sh: rm x @remote in <autossh> background
        mosh h rm x => rm x @remote in <mosh>
        mosh --ssh='ssh -p 2' h -- rm x => sh: ssh -p 2 ; rm x @remote in <mosh>
        mosh h => stdin @remote in <mosh>
        sshpass -p pw ssh h ls => ssh h ls
        sshpass -f file -- ssh h ls => ssh h ls
        sshpass -e ssh h => ssh h
        rsh -l u h rm x => sh: rm x @remote in <rsh>
        pdsh -w a,b rm x => sh: rm x @remote in <pdsh>
        consul exec -node web rm -rf x => sh: rm -rf x @remote in <consul>
        consul exec -service=web - => sh: - @remote in <consul>
        consul members =>
        boundary connect ssh -target-id t -- -l me rm x => ssh boundary -l me rm x @remote in <boundary>
        gitpod environment ssh e -- rm x => ssh gitpod rm x @remote in <gitpod>
        vagrant ssh -c 'rm x' => sh: rm x @remote in <vagrant>
        vagrant ssh box --command 'rm x' => sh: rm x @remote in <vagrant>
        vagrant ssh -- -p 22 rm x => sh: rm x @remote in <vagrant>
        vagrant up =>
        multipass exec box -- rm x => rm x @remote in <multipass>
        limactl shell box rm x => rm x @remote in <limactl>
        lima rm x => rm x @remote in <lima>
        heroku run -a app rm x => sh: rm x @remote in <heroku>
        flyctl ssh console -C 'rm x' => sh: rm x @remote in <flyctl>
        gcloud compute ssh box --zone=a --command='rm x' => sh: rm x @remote in <gcloud>
        gcloud compute instances list =>
        minikube ssh rm x => sh: rm x @remote in <minikube>
        ansible all -m shell -a 'rm x' => sh: rm x @remote in <ansible>
        ansible all -a 'rm x' -i inv => sh: rm x @remote in <ansible>
        ansible all -m copy -a 'src=a dest=b' =>
        ansible localhost -m file -a 'path=/srv/data state=absent' => rm -rf /srv/data in <ansible>
        ansible all -m file -a 'path=/srv/data state=absent' => rm -rf /srv/data @remote in <ansible>
        ansible all -m file -a 'path=/srv/data state=directory' =>
        ansible all -m reboot => reboot @remote in <ansible>
        ansible all -m ansible.builtin.reboot -a 'reboot_timeout=5' => reboot @remote in <ansible>
        wsl rm x => rm x
        wsl -d Ubuntu -- rm x => rm x
        wsl -e rm x => rm x
        ",
    );
}

#[test]
fn further_machines() {
    table(
        "
        docker-machine ssh box rm -rf x => sh: rm -rf x @remote in <docker-machine>
        docker-machine ls =>
        knife ssh 'name:web' 'rm -rf x' -x me => sh: rm -rf x @remote in <knife>
        podman machine ssh box rm x => sh: box rm x @remote in <podman> ; sh: rm x @remote in <podman>
        podman machine ls =>
        plink -batch -pw p me@h rm -rf x => sh: rm -rf x @remote in <plink>
        plink me@h => stdin @remote in <plink>
        kitten ssh h rm x => ssh h rm x
        kitty +kitten ssh h rm x => kitten ssh h rm x background
        pssh -h hosts -i 'rm -rf x' => sh: rm -rf x @remote in <pssh> repeats
        parallel-ssh -H a -H b rm x => sh: rm x @remote in <parallel-ssh> repeats
        clush -w a,b -b rm x => sh: rm x @remote in <clush> repeats
        dsh -M -g web -c -- rm x => sh: rm x @remote in <dsh> repeats
        et me@h -c 'rm x' => sh: rm x @remote in <et>
        juju ssh mysql/0 rm x => sh: rm x @remote in <juju>
        juju exec --unit mysql/0 -- rm x => sh: rm x @remote in <juju>
        juju status =>
        pct exec 101 -- rm x => rm x @container in <pct>
        qm guest exec 101 -- rm x => rm x @remote in <qm>
        jexec -u root web rm x => rm x @container in <jexec>
        prlctl exec box --user me rm x => rm x @remote in <prlctl>
        prlctl list =>
        vmrun -T fusion -gu me runProgramInGuest a.vmx -noWait /bin/rm x => /bin/rm x @remote in <vmrun>
        vmrun runScriptInGuest a.vmx /bin/sh 'rm x' => sh: rm x @remote in <vmrun>
        VBoxManage guestcontrol box run --exe /bin/rm --username me -- /bin/rm x => /bin/rm x @remote in <VBoxManage>
        salt-ssh web cmd.run 'rm x' => sh: rm x @remote in <salt-ssh>
        salt-ssh web -r 'rm x' => sh: rm x @remote in <salt-ssh>
        fab -H h -- rm -rf x => sh: rm -rf x @remote in <fab>
        fab -H h deploy =>
        bolt command run 'rm x' --targets a,b => sh: rm x @remote in <bolt>
        modal shell app.py --cmd 'rm x' => sh: rm x @remote in <modal>
        sky exec c -d 'rm x' => sh: rm x @remote in <sky>
        winrs -r:h rm x => sh: rm x @remote in <winrs>
        psexec '\\\\h' -u me rm x => rm x @remote in <psexec>
        psexec -s rm x => rm x
        container exec -w /srv web rm x => rm x @container in /srv
        waypipe --compress lz4 ssh h rm x => ssh h rm x
        flatpak run --command=sh org.x.App -c 'rm x' => sh -c 'rm x'
        flatpak run org.x.App rm =>
        drush @prod ssh 'rm x' => sh: rm x @remote in <drush>
        drush @prod sql-drop =>
        cf run-task app 'rm x' => sh: rm x @remote in <cf>
        cf run-task app --command 'rm x' => sh: rm x @remote in <cf>
        render ssh srv rm x => sh: rm x @remote in <render>
        ",
    );
}

#[test]
fn containers() {
    table(
        "
        docker run image rm x => rm x @container in <docker>
        docker run --rm -it -v a:b -e X=1 -w /srv image rm x => rm x @container in /srv X=1
        docker run -d --name=n -p80:80 --network host image rm x => rm x @container in <docker> background
        docker run --entrypoint sh image -c 'rm x' => sh -c 'rm x' @container in <docker>
        docker run --entrypoint=rm image => rm @container in <docker>
        docker run -- image rm x => rm x @container in <docker>
        docker run image =>
        docker run --rm alpine/git push -f => git push -f @container in <docker>
        docker run docker.io/alpine/git:v2.4 push => git push @container in <docker>
        docker run --entrypoint sh alpine/git -c x => sh -c x @container in <docker>
        docker run my-alpine/git push => push @container in <docker>
        docker run --rm -f Dockerfile image => image @container in <docker>
        docker -H tcp://h:1 -l debug run image rm x => rm x @container in <docker>
        docker create image rm x => rm x @container in <docker>
        docker exec web rm x => rm x @container in <docker>
        docker exec -it -u root -e A=1 web sh -c 'rm x' => sh -c 'rm x' @container in <docker> A=1
        docker exec -d --workdir=/srv web rm x => rm x @container in /srv background
        docker exec $X rm x => rm x @container in <docker> ; x @container in <docker> ?
        docker container exec web rm x => rm x @container in <docker>
        docker container run image rm x => rm x @container in <docker>
        docker compose exec web rm x => rm x @container in <docker>
        docker compose -f c.yml exec -T web rm x => rm x @container in <docker>
        docker compose run --rm web npm ci => npm ci @container in <docker>
        docker-compose -f c.yml run --rm -e A=1 web rm x => rm x @container in <docker-compose> A=1
        podman run --pod p image rm x => rm x @container in <podman>
        podman exec -l rm x => x @container in <podman>
        kubectl exec pod -- rm x => rm x @cluster in <kubectl>
        kubectl -n ns exec -it pod -c c -- rm x => rm x @cluster in <kubectl>
        kubectl exec deploy/a --container=c -- sh -c 'rm x' => sh -c 'rm x' @cluster in <kubectl>
        kubectl exec pod rm x => rm x @cluster in <kubectl>
        kubectl run p --image=i --rm -it -- rm x => rm x @cluster in <kubectl>
        kubectl run p --image=i --command -- rm x => rm x @cluster in <kubectl>
        kubectl run p --image=i =>
        kubectl debug pod -it --image=i -- rm x => rm x @cluster in <kubectl>
        kubectl delete pod x =>
        oc exec pod -- rm x => rm x @cluster in <oc>
        oc rsh pod rm x => rm x @cluster in <oc>
        nomad alloc exec -task t id rm x => rm x @cluster in <nomad>
        crictl exec -it id rm x => rm x @container in <crictl>
        ctr -n k8s.io task exec --exec-id e id rm x => rm x @container in <ctr>
        ctr run --rm image id rm x => rm x @container in <ctr>
        runc exec --env A=1 id rm x => rm x @container in <runc> A=1
        buildah run box -- rm x => rm x @container in <buildah>
        lxc exec box -- rm x => rm x @container in <lxc>
        lxc exec box --cwd /srv --env A=1 -- rm x => rm x @container in /srv A=1
        incus exec --user 1 box -- rm x => rm x @container in <incus>
        lxc-attach -n box -- rm x => rm x @container in <lxc-attach>
        machinectl shell root@box /bin/rm x => /bin/rm x @container in <machinectl>
        systemd-nspawn -D /mnt rm x => rm x @container in <systemd-nspawn>
        distrobox enter box -- rm x => rm x
        distrobox enter -n box -e rm x => rm x
        toolbox run -c box rm x => rm x
        devcontainer exec --workspace-folder . rm x => rm x @container
        ",
    );
}
